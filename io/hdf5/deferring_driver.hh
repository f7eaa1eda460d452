#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Sets a driver that can defer reads for files that are opened, for reading only, with
/// these properties. It is HDF5's own driver for files on disk, except within a
/// DeferringScope. `path` is an existing file. Does nothing if HDF5_DRIVER selects
/// another driver. Thread-safe.
void use_deferring_driver(hid_t file_access, const std::string& path);

/// Whether the file of this object was opened with that driver. Thread-safe.
bool defers_reads(hid_t object);

/// While this object lives, raw data that HDF5 would read in this thread directly to
/// [to, to + size) is not read but added to `reads`. HDF5 fails where it begins there
/// and is longer. Only for reading without conversion, as HDF5 would convert data that
/// are not there yet. One per thread at a time.
class DeferringScope {
 public:
  DeferringScope(DeferredReads& reads, void* to, std::size_t size);
  ~DeferringScope();
  DeferringScope(const DeferringScope&) = delete;
  DeferringScope& operator=(const DeferringScope&) = delete;
};

}  // namespace starhist::io
