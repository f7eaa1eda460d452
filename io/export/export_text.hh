#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "io/export/export_table.hh"

namespace starhist::io {

// Text formats of write_table(). Callers check the state of `out`.

/// Writes "# name: value" lines, one line of column names, and one line per bin.
void write_csv(std::ostream& out, const ExportTable& table);

/// Writes Grace like GROMACS: '#' comments, '@' commands for title, axes and legends,
/// blank-separated columns.
void write_xvg(std::ostream& out, const ExportTable& table);
/// A message about rows that write_xvg() leaves out though a curve is defined there; ""
/// without any.
std::string rows_lost_in_xvg(const ExportTable& table);

/// Writes {"quantity": ..., facts, "r": [...], "curves": [{"label": ..., "value":
/// [...]}]}.
void write_json(std::ostream& out, const ExportTable& table);

/// A field of csv, in quotes if it has commas or quotes.
std::string csv_field(const std::string& name);
/// "name": value of a fact.
std::string json_fact(const ExportFact& fact);

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
