#pragma once

#include <string>

#include "codelets/core/base/error.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// The chunks or compact data of a dataset are smaller than its shape requires.
struct ShortData : InputError {
  using InputError::InputError;
};

/// Reads the metadata of an HDF5 file as starhist's readers do: links, object headers,
/// types, filters, chunk indices, attributes, and variable-length strings. Skips parts
/// that readers do not use: other groups of the root, velocities, forces. Returns the
/// other files to which the file refers; with ExternalFiles::refused they are not
/// opened, and the walk ends at the first one.
///
/// Errors that HDF5 reports are ignored, because the readers encounter and report them,
/// too. Throws InputError for a group or an object whose links or attributes cannot be
/// listed, ShortData for data that would make HDF5 read out of bounds, and
/// std::bad_alloc when HDF5 runs out of memory.
ExternalFileList walk_hdf5_file(const std::string& path, ExternalFiles external);

}  // namespace starhist::io
