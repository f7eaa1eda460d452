#pragma once

#include <cstddef>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// How a dataset of rows (its first extent counts them) is cut into chunks.
class RowChunks {
 public:
  /// Throws InputError when HDF5 does not say.
  explicit RowChunks(hid_t dataset);

  /// Whether chunks hold several rows and are read as a whole: compressed ones, and
  /// those in which a row lies in many small pieces.
  bool shared() const { return !chunk_.empty() && chunk_[0] > 1 && !read_in_pieces_; }

  /// Bytes of cache that keep every chunk of a row until the last of the rows that
  /// share these chunks is read; 0 where a cache would only add a copy: where each
  /// chunk belongs to one row alone, or rows are read piece by piece.
  std::size_t useful_cache() const;

 private:
  std::size_t piece_bytes() const;

  std::vector<hsize_t> shape_;
  std::vector<hsize_t> chunk_;  ///< shape of one; empty where there are none
  std::size_t value_bytes_ = 0;
  bool plain_ = false;
  bool read_in_pieces_ = false;  ///< HDF5 reads only what is wanted of a chunk
};

}  // namespace starhist::io
