#pragma once

#include <string>

namespace starhist::io {

/// What people are told about formats, made of trajectory_formats().

/// Formats with frames: "H5MD, CADISHI HDF5, ..., TRR and TNG".
std::string trajectory_format_names();

/// Formats that --structure takes: "PDB, GRO, G96 or TPR".
std::string structure_format_names();

/// Formats that --structure may be given for: "PDB, GRO, G96, XTC, TRR and TNG".
std::string named_by_structure();

/// Formats that only a starhist with libgromacs reads: "G96, XTC, TNG and TPR".
std::string formats_by_libgromacs();

/// What TRAJ may be, for --help: lines of at most 80 characters, without the last
/// newline.
std::string formats_help();

/// What the option --structure is for, in one line for a table of options.
std::string structure_help();

/// A table in Markdown with a row for each format, for the documents.
std::string format_table();

/// A second one: the fields that the reader of each format delivers.
std::string field_table();

}  // namespace starhist::io
