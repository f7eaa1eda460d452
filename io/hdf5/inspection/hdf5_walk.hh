#pragma once

#include <string>

#include "codelets/core/base/error.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// A dataset has chunks or compact data that are smaller than their shape says.
struct ShortData : InputError {
  using InputError::InputError;
};

/// Reads the metadata of an HDF5 file as starhist's readers do: links, object headers,
/// types, filters, indexes of chunks, attributes, and strings of variable length.
/// Leaves out what no reader looks at: other groups of the root, velocities, forces.
/// Returns the other files that the file names; with ExternalFiles::refused none of
/// them is opened and the walk ends at the first.
///
/// Errors that HDF5 reports are passed over, as the readers meet them too and say what
/// is wrong. Throws InputError for a group or an object whose links or attributes
/// cannot be listed, ShortData for data over which HDF5 would read beyond its
/// memory, and std::bad_alloc when HDF5 gets too little memory.
ExternalFileList walk_hdf5_file(const std::string& path, ExternalFiles external);

}  // namespace starhist::io
