#pragma once

#include <cstddef>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// The chunks of a dataset of rows (its first extent is their number).
class RowChunks {
 public:
  /// Throws InputError when the dataset cannot be read.
  explicit RowChunks(hid_t dataset);

  /// Whether chunks hold several rows and are read as a whole. That is so for
  /// compressed chunks, and for those in which a row lies in many small pieces.
  bool shared() const { return !chunk_.empty() && chunk_[0] > 1 && !read_in_pieces_; }

  /// Bytes of chunk cache that hold all chunks of a row until the last row that shares
  /// them is read. 0 where a cache would only add a copy, as each chunk belongs to one
  /// row or rows are read piece by piece; and where it would need more than 1 GiB.
  std::size_t useful_cache() const;

 private:
  std::size_t piece_bytes() const;

  std::vector<hsize_t> shape_;
  std::vector<hsize_t> chunk_;   ///< shape of a chunk; empty without chunks
  std::size_t value_bytes_ = 0;  ///< size of a value in the file
  bool plain_ = false;           ///< hdf5_is_plain()
  bool read_in_pieces_ = false;  ///< HDF5 reads only the wanted part of a chunk
};

}  // namespace starhist::io
