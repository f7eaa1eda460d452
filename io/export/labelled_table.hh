#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "io/export/export_table.hh"

namespace starhist::io {

/// A table of values of different kinds, one per row.
struct LabelledTable {
  struct Row {
    std::string quantity;  ///< "G"
    std::string of;        ///< "O-O", or "H around O"
    std::string method;    ///< "" if there is only one
    double value = 0.0;
    double error = 0.0;  ///< standard error; NaN if unknown
    std::string unit;    ///< "1" for numbers
  };
  std::string title;
  std::vector<ExportFact> facts;
  std::vector<Row> rows;
};

/// Writes the table as csv, with facts in comments, or as json, with a list of rows.
/// Undefined values are empty or null. Throws InputError for xvg, which has no text in
/// its columns, and RunError when `out` fails.
void write_labelled_table(std::ostream& out, const LabelledTable& table,
                          ExportFormat format);

}  // namespace starhist::io
