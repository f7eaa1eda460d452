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

/// Writes {"quantity": ..., facts, "r": [...], "curves": [{"label": ..., "value":
/// [...]}]}.
void write_json(std::ostream& out, const ExportTable& table);

}  // namespace starhist::io
