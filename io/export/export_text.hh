#pragma once

#include <iosfwd>

#include "io/export/export_table.hh"

namespace starhist::io {

// The text formats of write_table(). The caller checks the state of `out`.

/// "# name: value" lines, one line of column names, one line per bin.
void write_csv(std::ostream& out, const ExportTable& table);

/// Grace, as GROMACS writes it: '#' comments, '@' commands for title, axes and legends,
/// blank-separated columns.
void write_xvg(std::ostream& out, const ExportTable& table);

/// {"quantity": ..., facts, "r": [...], "curves": [{"label": ..., "value": [...]}]}
void write_json(std::ostream& out, const ExportTable& table);

}  // namespace starhist::io
