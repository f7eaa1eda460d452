#include "io/hdf5/rows/row_chunks.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {

RowChunks::RowChunks(hid_t dataset)
    : shape_(hdf5_shape(dataset)), plain_(hdf5_is_plain(dataset)) {
  const Hdf5Object properties = own_hdf5<InputError>(H5Dget_create_plist(dataset),
                                                     H5Pclose, dataset, "", unreadable);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) {
    return;
  }
  chunk_.resize(shape_.size());
  check_hdf5<InputError>(
      H5Pget_chunk(properties.get(), static_cast<int>(chunk_.size()), chunk_.data()),
      dataset, "", unreadable);
  const Hdf5Object type =
      own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset, "", unreadable);
  value_bytes_ = H5Tget_size(type.get());
  constexpr std::size_t worth_a_read = 512;
  read_in_pieces_ = plain_ && piece_bytes() >= worth_a_read;
}

/// Returns the number of consecutive bytes of a row in a chunk.
std::size_t RowChunks::piece_bytes() const {
  std::size_t bytes = value_bytes_;
  for (std::size_t axis = shape_.size() - 1; axis > 0; --axis) {
    bytes *= std::min(chunk_[axis], shape_[axis]);
    if (chunk_[axis] != shape_[axis]) {
      break;
    }
  }
  return bytes;
}

bool RowChunks::are_plain_rows() const {
  return plain_ && !chunk_.empty() && chunk_[0] == 1 &&
         std::equal(chunk_.begin() + 1, chunk_.end(), shape_.begin() + 1);
}

std::size_t RowChunks::useful_cache() const {
  if (chunk_.empty() || read_in_pieces_) {
    return 0;
  }
  const bool row_in_pieces =
      !std::equal(chunk_.begin() + 1, chunk_.end(), shape_.begin() + 1);
  if (chunk_[0] <= 1 && (!plain_ || !row_in_pieces)) {
    return 0;
  }
  constexpr double most = 1024.0 * 1024.0 * 1024.0;
  double bytes = static_cast<double>(value_bytes_) * static_cast<double>(chunk_[0]);
  for (std::size_t axis = 1; axis < shape_.size(); ++axis) {
    const hsize_t chunks =
        shape_[axis] / chunk_[axis] + (shape_[axis] % chunk_[axis] != 0);
    bytes *= static_cast<double>(chunks) * static_cast<double>(chunk_[axis]);
  }
  return bytes > most ? 0 : static_cast<std::size_t>(bytes);
}

}  // namespace starhist::io
