#pragma once

#include <string>

#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// Returns the fields that read_frames.py delivers for the format that it calls `key`.
/// Throws InternalError for an unknown format.
DeliveredFields python_fields(const std::string& key);

/// False: the format has no residues, although MDAnalysis assigns all atoms to one.
bool has_python_residues(const std::string& key);

}  // namespace starhist::io
