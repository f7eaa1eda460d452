#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/export/export.hh"

namespace starhist::io {

/// Something that a reader of the export must know, such as {"r_max", "1.4"}.
struct ExportFact {
  enum class Kind { text, number };
  std::string name;
  std::string value;
  Kind kind = Kind::text;
};

/// One column of numbers, turned into text only when they are written.
struct ExportColumn {
  std::string name;
  std::function<std::string(std::uint32_t)> text;  ///< of row k; "" when not defined
  std::vector<ExportFact> facts;
};

/// A result's quantity, ready for any text format.
struct ExportTable {
  std::string title;        ///< "Radial distribution function"
  std::string source;       ///< path of the result
  std::string value_label;  ///< "g(r)"
  std::string length_unit;  ///< "" when not known
  std::string axis_label;   ///< of the first column; "" for r with its unit
  std::uint32_t rows = 0;
  std::vector<ExportFact> facts;
  ExportColumn r;
  std::vector<ExportColumn> edges;  ///< r_lower and r_upper of counts
  std::vector<ExportColumn> curves;
};

/// Writes a table. Throws RunError when `out` fails.
void write_table(std::ostream& out, const ExportTable& table, ExportFormat format);

/// Errors as in write_export.
ExportTable make_export_table(const ResultFile& result, const ExportRequest& request);

}  // namespace starhist::io
