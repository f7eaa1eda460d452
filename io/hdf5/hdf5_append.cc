#include "io/hdf5/hdf5_append.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

/// Number of values in a chunk of 1 MiB, for values of at most 8 bytes.
constexpr hsize_t chunk_numbers = (hsize_t{1} << 20) / 8;
constexpr hsize_t gathered_rows = 64;

}  // namespace

std::vector<hsize_t> hdf5_chunk_shape(const std::vector<hsize_t>& row_shape,
                                      Hdf5Storage storage) {
  std::vector<hsize_t> chunk(row_shape.size() + 1);
  hsize_t room = chunk_numbers;
  for (std::size_t i = row_shape.size(); i > 0; --i) {
    chunk[i] = std::clamp<hsize_t>(row_shape[i - 1], 1, room);
    room /= chunk[i];
  }
  chunk[0] = storage == Hdf5Storage::gathered
                 ? std::clamp<hsize_t>(room, 1, gathered_rows)
                 : 1;
  return chunk;
}

Hdf5Object create_hdf5_chunks(hid_t parent, const std::string& name, hid_t type,
                              const std::vector<hsize_t>& shape,
                              const std::vector<hsize_t>& chunk, bool compressed,
                              hid_t access) {
  // HDF5 requires chunks of at least one value, even in an empty dataset.
  std::vector<hsize_t> limit(shape.size());
  std::transform(shape.begin(), shape.end(), chunk.begin(), limit.begin(),
                 [](hsize_t extent, hsize_t least) { return std::max(extent, least); });
  limit[0] = H5S_UNLIMITED;
  const Hdf5Object space = create_hdf5_space(shape, parent, name, limit);
  const Hdf5Object creation =
      own_hdf5<RunError>(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, parent, name);
  check_hdf5<RunError>(
      H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()),
      parent, name);
  if (compressed) {
    check_hdf5<RunError>(H5Pset_shuffle(creation.get()), parent, name);
    check_hdf5<RunError>(H5Pset_deflate(creation.get(), hdf5_deflate_level), parent,
                         name);
  }
  return own_hdf5<RunError>(H5Dcreate2(parent, name.c_str(), type, space.get(),
                                       H5P_DEFAULT, creation.get(), access),
                            H5Dclose, parent, name);
}

void resize_hdf5_rows(hid_t dataset, hsize_t rows) {
  std::vector<hsize_t> shape = hdf5_shape(dataset);
  shape[0] = rows;
  check_hdf5<RunError>(H5Dset_extent(dataset, shape.data()), dataset);
}

void write_hdf5_part(hid_t dataset, const std::vector<hsize_t>& start,
                     const std::vector<hsize_t>& shape, hid_t type,
                     const void* values) {
  silence_hdf5();
  const Hdf5Object target =
      own_hdf5<RunError>(H5Dget_space(dataset), H5Sclose, dataset);
  check_hdf5<RunError>(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(),
                                           nullptr, shape.data(), nullptr),
                       dataset);
  // The memory space needs the rank of the target: otherwise HDF5 copies value by
  // value.
  const Hdf5Object source = create_hdf5_space(shape, dataset, "");
  check_hdf5<RunError>(
      H5Dwrite(dataset, type, source.get(), target.get(), H5P_DEFAULT, values),
      dataset);
}

}  // namespace starhist::io
