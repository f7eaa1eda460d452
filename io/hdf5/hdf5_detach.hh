#pragma once

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Cuts an open file off from the disk: whatever HDF5 still writes to it, when it is
/// closed at the latest, goes nowhere. What was flushed stays as it is.
///
/// For files that a write has failed on. Closed as they are, HDF5 would write half of
/// what it holds into the good part of the file, and crash.
void detach_hdf5_file(hid_t file) noexcept;

}  // namespace starhist::io
