#pragma once

#include <cstddef>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Compares stored sizes with the shapes of a file's datasets: of chunks, and of data
/// within the header (compact). HDF5 before 1.14 does not: it reads out of bounds if
/// data are too short, and returns that memory as values.
class StoredSizes {
 public:
  /// Whether the stored data of a dataset can have the size that its shape requires.
  /// Compact data and uncompressed chunks are checked by their sum; compressed chunks
  /// by the limits of the filters, by the unfiltered ones among the first 64, and by
  /// decompressing the first chunk, up to 4 MiB for all datasets together. True if it
  /// cannot be determined, as with other filters.
  bool fit(hid_t dataset);

 private:
  /// remaining bytes that may be decompressed
  std::size_t left_ = std::size_t{4} << 20U;
};

}  // namespace starhist::io
