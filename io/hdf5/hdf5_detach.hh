#pragma once

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Detaches an open file from the disk: everything that HDF5 writes to it afterwards,
/// at the latest on closing, is discarded.
///
/// To be called after a failed write: on closing, HDF5 would otherwise write some of
/// its buffers, and crash.
void detach_hdf5_file(hid_t file) noexcept;

}  // namespace starhist::io
