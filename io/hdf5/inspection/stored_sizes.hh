#pragma once

#include <cstddef>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Compares the size of what is stored with its shape, for the datasets of a file: of
/// chunks, and of data within the header (compact). HDF5 before 1.14 does not: it reads
/// beyond the memory of data that are too short, and gives what lies there as values.
class StoredSizes {
 public:
  /// Whether the data of a dataset can have the size that their shape asks for.
  /// Compact data, and uncompressed chunks: as a sum. Compressed chunks: by the limits
  /// of the filters, by the size of those among the first 64 that no filter was applied
  /// to, and by decompressing the first chunk, up to 4 MiB for all datasets together.
  /// What cannot be told, as with other filters, is true.
  bool fit(hid_t dataset);

 private:
  std::size_t left_ = std::size_t{4} << 20U;  ///< bytes that may be decompressed
};

}  // namespace starhist::io
