#pragma once

#include <cstddef>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Compares the size of stored chunks with their shape, for the datasets of a file.
/// HDF5 does not: it reads beyond the memory of a chunk that is too short, and gives
/// what lies there as values.
class ChunkSizes {
 public:
  /// Whether the chunks of a dataset can have the size that their shape asks for.
  /// Uncompressed ones: as a sum. Compressed ones: by the limits of the filters, and by
  /// decompressing the first chunk, up to 4 MiB for all datasets together. What cannot
  /// be told, as with other filters, is true.
  bool fit(hid_t dataset);

 private:
  std::size_t left_ = std::size_t{4} << 20U;  ///< bytes that may be decompressed
};

}  // namespace starhist::io
