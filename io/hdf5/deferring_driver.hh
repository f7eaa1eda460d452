#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Makes files that are opened with these properties (for reading only) defer reads:
/// HDF5's own driver for files on disk, but for what DeferringScope asks for. `path`
/// is a file that exists. Without effect where that is not the driver, by HDF5_DRIVER.
void use_deferring_driver(hid_t file_access, const std::string& path);

/// While this lives, raw data that HDF5 would read in this thread straight to [to, to +
/// size) is noted in `reads` instead. Only for reading without conversion, as HDF5
/// would convert what is not there yet.
class DeferringScope {
 public:
  DeferringScope(DeferredReads& reads, void* to, std::size_t size);
  ~DeferringScope();
  DeferringScope(const DeferringScope&) = delete;
  DeferringScope& operator=(const DeferringScope&) = delete;
};

}  // namespace starhist::io
