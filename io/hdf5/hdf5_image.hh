#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// HDF5 files in memory. HDF5 crashes after failed writes and leaves unreadable files
// after a kill, so results are made in memory and written as a whole.

/// Creates an empty file in memory, which messages call `path`. Throws RunError.
Hdf5Object create_hdf5_image(const std::string& path);

/// Opens a copy of `image` in memory for reading and writing; messages call it `path`.
/// Throws InputError if it is not an HDF5 file.
Hdf5Object open_hdf5_image(const std::string& image, const std::string& path);

/// Closes such a file, whose objects must be closed, and returns its bytes. Throws
/// RunError.
std::string hdf5_image(Hdf5Object&& file);

}  // namespace starhist::io
