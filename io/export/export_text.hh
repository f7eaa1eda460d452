#pragma once

#include <iosfwd>

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

}  // namespace starhist::io
