#pragma once

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Detaches an open file from the disk: everything that HDF5 writes to it afterwards,
/// at the latest on closing, is discarded. The file on disk stays as it was flushed.
///
/// To be called after a write has failed. On closing, HDF5 would otherwise write a part
/// of its buffers into the good part of the file, and crash.
void detach_hdf5_file(hid_t file) noexcept;

}  // namespace starhist::io
