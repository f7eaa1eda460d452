#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_write.hh"

namespace starhist::io {

// Datasets that grow by rows along their first dimension. All functions throw RunError
// with file and path when writing fails.

/// Deflate level of Hdf5Storage::compressed.
inline constexpr int hdf5_deflate_level = 1;

/// Storage of the rows of a growing dataset; chunks hold at most 1 MiB.
enum class Hdf5Storage {
  gathered,    ///< many small rows per chunk, uncompressed
  compressed,  ///< large rows, one or more chunks each: shuffle and gzip level 1
};

/// Returns the chunk extents of such a dataset: one row or several, and complete
/// trailing dimensions as far as they fit.
std::vector<hsize_t> hdf5_chunk_shape(const std::vector<hsize_t>& row_shape,
                                      Hdf5Storage storage);

/// Creates a dataset whose first dimension can grow, in chunks of these extents.
/// `access`: properties of access.
Hdf5Object create_hdf5_chunks(hid_t parent, const std::string& name, hid_t type,
                              const std::vector<hsize_t>& shape,
                              const std::vector<hsize_t>& chunk,
                              bool compressed = false, hid_t access = H5P_DEFAULT);

/// Creates a dataset without rows. row_shape: extents of a row; {}: a row is a single
/// number.
template <class Number>
Hdf5Object create_hdf5_rows(hid_t parent, const std::string& name,
                            const std::vector<hsize_t>& row_shape,
                            Hdf5Storage storage) {
  std::vector<hsize_t> shape{0};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  return create_hdf5_chunks(parent, name, hdf5_type<Number>(), shape,
                            hdf5_chunk_shape(row_shape, storage),
                            storage == Hdf5Storage::compressed);
}

/// Sets the number of rows; rows beyond it are lost.
void resize_hdf5_rows(hid_t dataset, hsize_t rows);

/// Writes values of `type`, which fill the hyperslab of extents `shape` at `start`,
/// both with one entry per dimension of the dataset.
void write_hdf5_part(hid_t dataset, const std::vector<hsize_t>& start,
                     const std::vector<hsize_t>& shape, hid_t type, const void* values);

/// Writes numbers. Throws InternalError when they do not fill the hyperslab.
template <class Number>
void write_hdf5_part(hid_t dataset, const std::vector<hsize_t>& start,
                     const std::vector<hsize_t>& shape,
                     const std::vector<Number>& values) {
  check_hdf5_count(values.size(), shape, hdf5_location(dataset));
  write_hdf5_part(dataset, start, shape, hdf5_type<Number>(), values.data());
}

}  // namespace starhist::io
