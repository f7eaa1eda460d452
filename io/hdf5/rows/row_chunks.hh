#pragma once

#include <cstddef>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// The chunks of a dataset of rows (along its first dimension).
class RowChunks {
 public:
  /// Throws InputError when the dataset cannot be read.
  explicit RowChunks(hid_t dataset);

  /// Whether chunks hold several rows and are read as a whole: true for compressed
  /// chunks, and for chunks in which a row consists of many small pieces.
  bool shared() const { return !chunk_.empty() && chunk_[0] > 1 && !read_in_pieces_; }

  /// Whether each chunk is exactly one row, without filters.
  bool are_plain_rows() const;

  /// Returns the size of a chunk cache that keeps all chunks of a row until the last
  /// row that shares them has been read [bytes]. 0 if a cache would only add a copy,
  /// because each chunk belongs to one row or rows are read piece by piece, or would
  /// need more than 1 GiB.
  std::size_t useful_cache() const;

 private:
  std::size_t piece_bytes() const;

  std::vector<hsize_t> shape_;
  std::vector<hsize_t> chunk_;   ///< shape of a chunk; empty without chunks
  std::size_t value_bytes_ = 0;  ///< size of a value in the file
  bool plain_ = false;           ///< hdf5_is_plain()
  bool read_in_pieces_ = false;  ///< HDF5 reads only the required part of a chunk
};

}  // namespace starhist::io
