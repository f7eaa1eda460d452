#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/export/export.hh"

namespace starhist::io {

/// A fact about a table or a column, such as {"r_max", "1.4"}.
struct ExportFact {
  enum class Kind { text, number };
  std::string name;
  std::string value;
  Kind kind = Kind::text;
};

/// One column of numbers, converted to text only when written.
struct ExportColumn {
  std::string name;
  /// Returns the number in row k as text; "" if it is undefined.
  std::function<std::string(std::uint32_t)> text;
  std::vector<ExportFact> facts{};
};

/// A table of a quantity, independent of the text format.
struct ExportTable {
  std::string title;        ///< "Radial distribution function"
  std::string source;       ///< path of the result
  std::string value_label;  ///< "G(R) (nm^3)", with the unit
  std::string length_unit;  ///< "" if unknown
  std::string axis_label;   ///< label of the first column; "": r with its unit
  std::uint32_t rows = 0;   ///< number of rows in each column
  std::vector<ExportFact> facts;
  ExportColumn r;                   ///< first column
  std::vector<ExportColumn> edges;  ///< r_lower and r_upper, for counts
  std::vector<ExportColumn> curves;
};

/// Writes a table, and adds a note about values that xvg cannot hold to `notes`. Throws
/// RunError when `out` fails.
void write_table(std::ostream& out, const ExportTable& table, ExportFormat format,
                 std::vector<std::string>& notes);

/// Returns the table of second_g or second_counts: a row for each bin of the distance
/// and of the second axis. Throws InputError like write_export(), and if the result has
/// no second axis.
ExportTable second_axis_table(const ResultFile& result, const ExportRequest& request);

/// Returns the table of an export. Throws InputError like write_export().
ExportTable make_export_table(const ResultFile& result, const ExportRequest& request);

}  // namespace starhist::io
