#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5_object.hh"

namespace starhist {

/// A dataset read row by row, such as the frames of positions [t][N][3]. Everything
/// throws InputError naming file, path and row.
class Hdf5Rows {
 public:
  enum class Layout {
    one_row,    ///< the dataset is one row
    many_rows,  ///< its first extent counts the rows
  };

  /// Sizes HDF5's chunk cache so that rows read in order are decompressed once.
  Hdf5Rows(hid_t parent, const std::string& path, Layout layout);

  std::uint64_t count() const { return count_; }
  /// Extents of a row, {N, 3} for positions.
  const std::vector<hsize_t>& row_shape() const { return row_shape_; }
  std::size_t row_size() const { return row_size_; }  ///< number of values

  hid_t dataset() const { return dataset_.get(); }
  hid_t type() const { return type_.get(); }  ///< the type in the file

  /// Reads row `row` into `out`, room for row_size() values of `memory_type`.
  void read(std::uint64_t row, hid_t memory_type, void* out);

 private:
  Hdf5Object dataset_;
  Hdf5Object type_;
  Hdf5Object file_space_;
  Hdf5Object memory_space_;
  Layout layout_;
  std::uint64_t count_ = 1;
  std::vector<hsize_t> row_shape_;
  std::size_t row_size_ = 1;
  std::vector<hsize_t> selection_start_;
  std::vector<hsize_t> selection_count_;
};

}  // namespace starhist
