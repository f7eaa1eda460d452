#include "io/hdf5_rows.hh"

#include <limits>

#include "codelets/core/error.hh"
#include "io/hdf5_filters.hh"
#include "io/hdf5_read.hh"

namespace starhist {
namespace {

constexpr const char* unreadable = "cannot be read";

/// Bytes of cache that keep every chunk of a row until the last of the rows that
/// share these chunks is read; 0 where each chunk belongs to one row alone, as a cache
/// would only add a copy there.
std::size_t useful_cache(hid_t dataset, const std::vector<hsize_t>& shape) {
  const Hdf5Object properties = own_hdf5<InputError>(H5Dget_create_plist(dataset),
                                                     H5Pclose, dataset, "", unreadable);
  std::vector<hsize_t> chunk(shape.size());
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED ||
      H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()) <
          0 ||
      chunk[0] <= 1) {
    return 0;
  }
  constexpr double most = 1024.0 * 1024.0 * 1024.0;
  const Hdf5Object type =
      own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset, "", unreadable);
  double bytes =
      static_cast<double>(H5Tget_size(type.get())) * static_cast<double>(chunk[0]);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    const hsize_t chunks = shape[axis] / chunk[axis] + (shape[axis] % chunk[axis] != 0);
    bytes *= static_cast<double>(chunks) * static_cast<double>(chunk[axis]);
  }
  return bytes > most ? 0 : static_cast<std::size_t>(bytes);
}

Hdf5Object open_with_cache(hid_t parent, const std::string& path) {
  Hdf5Object dataset = open_hdf5_dataset(parent, path);
  check_hdf5_filters(dataset.get());
  const std::size_t bytes = useful_cache(dataset.get(), hdf5_shape(dataset.get()));
  constexpr std::size_t default_bytes = 1024 * 1024;
  if (bytes > 0 && bytes <= default_bytes) {
    return dataset;
  }
  constexpr std::size_t slots = 12421;
  constexpr double drop_read_chunks_first = 1.0;
  const Hdf5Object access = own_hdf5<InputError>(H5Pcreate(H5P_DATASET_ACCESS),
                                                 H5Pclose, parent, path, unreadable);
  // A dataset that is open already keeps its cache.
  check_hdf5<InputError>(dataset.close(), parent, path, unreadable);
  check_hdf5<InputError>(
      H5Pset_chunk_cache(access.get(), slots, bytes, drop_read_chunks_first), parent,
      path, unreadable);
  return own_hdf5<InputError>(H5Dopen2(parent, path.c_str(), access.get()), H5Dclose,
                              parent, path, unreadable);
}

hid_t make_space(const std::vector<hsize_t>& shape) {
  return shape.empty()
             ? H5Screate(H5S_SCALAR)
             : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
}

}  // namespace

Hdf5Rows::Hdf5Rows(hid_t parent, const std::string& path, Layout layout)
    : dataset_(open_with_cache(parent, path)), layout_(layout) {
  const hid_t id = dataset_.get();
  type_ = own_hdf5<InputError>(H5Dget_type(id), H5Tclose, id, "", unreadable);
  row_shape_ = hdf5_shape(id);
  selection_start_.assign(row_shape_.size(), 0);
  selection_count_ = row_shape_;
  if (layout == Layout::many_rows) {
    if (row_shape_.empty()) {
      throw InputError(hdf5_place(id) +
                       ": is a single value where one per frame is due");
    }
    count_ = row_shape_.front();
    selection_count_.front() = 1;
    row_shape_.erase(row_shape_.begin());
  }
  for (const hsize_t extent : row_shape_) {
    if (extent != 0 && row_size_ > std::numeric_limits<std::uint32_t>::max() / extent) {
      throw InputError(hdf5_place(id) + ": has rows of more than 2^32 values");
    }
    row_size_ *= extent;
  }
  // Rows may have been reserved by a writer that did not come to fill them.
  constexpr double reserved = 1000.0;
  const auto row_values = static_cast<double>(row_size_);
  check_hdf5_extent(id, row_values);
  check_hdf5_extent(id, static_cast<double>(count_) * row_values / reserved);
  file_space_ = own_hdf5<InputError>(H5Dget_space(id), H5Sclose, id, "", unreadable);
  // The same shape as in the file: HDF5 copies element by element otherwise.
  memory_space_ =
      own_hdf5<InputError>(make_space(selection_count_), H5Sclose, id, "", unreadable);
}

void Hdf5Rows::read(std::uint64_t row, hid_t memory_type, void* out) {
  if (row_size_ == 0) {
    return;
  }
  silence_hdf5();
  const hid_t id = dataset_.get();
  if (layout_ == Layout::many_rows) {
    selection_start_.front() = row;
    check_hdf5<InputError>(
        H5Sselect_hyperslab(file_space_.get(), H5S_SELECT_SET, selection_start_.data(),
                            nullptr, selection_count_.data(), nullptr),
        id, "", unreadable);
  }
  if (H5Dread(id, memory_type, memory_space_.get(), file_space_.get(), H5P_DEFAULT,
              out) < 0) {
    const std::string reason = hdf5_reason();
    throw InputError(hdf5_place(id) + ": row " + std::to_string(row) +
                     " cannot be read (" + reason + ")");
  }
}

}  // namespace starhist
