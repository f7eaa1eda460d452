#pragma once

#include <string>

namespace starhist::io {

/// Texts about formats for users, derived from trajectory_formats().

/// Lists the formats with frames: "H5MD, CADISHI HDF5, ..., TRR and TNG".
std::string trajectory_format_names();

/// Lists the formats that --structure accepts: "PDB, GRO, G96 or TPR".
std::string structure_format_names();

/// Lists the formats that can be combined with --structure: "PDB, GRO, G96, XTC, TRR
/// and TNG".
std::string named_by_structure();

/// Lists the formats that require libgromacs: "G96, XTC, TNG and TPR".
std::string formats_by_libgromacs();

/// Describes the argument TRAJ for --help, in lines of at most 80 characters, without a
/// final newline.
std::string formats_help();

/// Describes the option --structure, in one line for a table of options.
std::string structure_help();

/// Returns a Markdown table with a row for each format, for the documents.
std::string format_table();

/// Returns the second Markdown table: the fields that each format's reader delivers.
std::string field_table();

}  // namespace starhist::io
