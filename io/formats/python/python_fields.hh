#pragma once

#include <string>

#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// Fields that read_frames.py delivers of the format that it calls `key`. Throws
/// InternalError for a format that is not in the table.
DeliveredFields python_fields(const std::string& key);

/// False: files of this format have no residues, although MDAnalysis puts all of their
/// atoms into one.
bool has_python_residues(const std::string& key);

}  // namespace starhist::io
