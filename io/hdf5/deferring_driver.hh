#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Sets a driver that can defer reads, for files opened read-only with these
/// properties. Outside of a DeferringScope it behaves like HDF5's driver for files on
/// disk. `path`: an existing file. Does nothing if HDF5_DRIVER selects another driver.
/// Thread-safe.
void use_deferring_driver(hid_t file_access, const std::string& path);

/// Whether the object's file was opened with that driver. Thread-safe.
bool defers_reads(hid_t object);

/// During the lifetime of this object, raw data that HDF5 would read in this thread
/// directly to [to, to + size) are added to `reads` instead. An HDF5 read that begins
/// there and is longer fails. Only for reads without type conversion, because HDF5
/// would convert data that are not there yet. At most one per thread at a time.
class DeferringScope {
 public:
  DeferringScope(DeferredReads& reads, void* to, std::size_t size);
  ~DeferringScope();
  DeferringScope(const DeferringScope&) = delete;
  DeferringScope& operator=(const DeferringScope&) = delete;
};

}  // namespace starhist::io
