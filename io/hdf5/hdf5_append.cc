#include "io/hdf5/hdf5_append.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

/// Number of values in a chunk of 1 MiB, for values of at most 8 bytes.
constexpr hsize_t chunk_numbers = (hsize_t{1} << 20) / 8;
constexpr hsize_t gathered_rows = 64;

Hdf5Object creation_properties(hid_t parent, const std::string& name,
                               const std::vector<hsize_t>& row_shape,
                               Hdf5Storage storage) {
  Hdf5Object properties = own_hdf5<RunError>(H5Pcreate(H5P_DATASET_CREATE), H5Pclose,
                                             parent, name, unwritable);
  const auto chunk = hdf5_chunk_shape(row_shape, storage);
  check_hdf5<RunError>(
      H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()),
      parent, name, unwritable);
  if (storage == Hdf5Storage::compressed) {
    check_hdf5<RunError>(H5Pset_shuffle(properties.get()), parent, name, unwritable);
    check_hdf5<RunError>(H5Pset_deflate(properties.get(), hdf5_deflate_level), parent,
                         name, unwritable);
  }
  return properties;
}

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

template <class Number>
Hdf5Object create_hdf5_rows(hid_t parent, const std::string& name,
                            const std::vector<hsize_t>& row_shape,
                            Hdf5Storage storage) {
  silence_hdf5();
  std::vector<hsize_t> shape{0};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  std::vector<hsize_t> limit = shape;
  limit[0] = H5S_UNLIMITED;
  const Hdf5Object space = own_hdf5<RunError>(
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), limit.data()),
      H5Sclose, parent, name, unwritable);
  const Hdf5Object properties = creation_properties(parent, name, row_shape, storage);
  return own_hdf5<RunError>(
      H5Dcreate2(parent, name.c_str(), hdf5_type<Number>(), space.get(), H5P_DEFAULT,
                 properties.get(), H5P_DEFAULT),
      H5Dclose, parent, name, unwritable);
}

void resize_hdf5_rows(hid_t dataset, hsize_t rows) {
  std::vector<hsize_t> shape = hdf5_shape(dataset);
  shape[0] = rows;
  check_hdf5<RunError>(H5Dset_extent(dataset, shape.data()), dataset, "", unwritable);
}

void write_hdf5_part(hid_t dataset, const std::vector<hsize_t>& start,
                     const std::vector<hsize_t>& shape, hid_t type,
                     const void* values) {
  silence_hdf5();
  const Hdf5Object target =
      own_hdf5<RunError>(H5Dget_space(dataset), H5Sclose, dataset, "", unwritable);
  check_hdf5<RunError>(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(),
                                           nullptr, shape.data(), nullptr),
                       dataset, "", unwritable);
  // The memory space needs the rank of the target: otherwise HDF5 copies value by
  // value.
  const Hdf5Object source = own_hdf5<RunError>(
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
      dataset, "", unwritable);
  check_hdf5<RunError>(
      H5Dwrite(dataset, type, source.get(), target.get(), H5P_DEFAULT, values), dataset,
      "", unwritable);
}

template <class Number>
void write_hdf5_part(hid_t dataset, const std::vector<hsize_t>& start,
                     const std::vector<hsize_t>& shape,
                     const std::vector<Number>& values) {
  hsize_t count = 1;
  for (const hsize_t extent : shape) {
    count *= extent;
  }
  if (count != values.size()) {
    throw InternalError(hdf5_location(dataset) + ": " + std::to_string(values.size()) +
                        " values for a part of " + std::to_string(count));
  }
  write_hdf5_part(dataset, start, shape, hdf5_type<Number>(), values.data());
}

template Hdf5Object create_hdf5_rows<double>(hid_t, const std::string&,
                                             const std::vector<hsize_t>&, Hdf5Storage);
template Hdf5Object create_hdf5_rows<std::int64_t>(hid_t, const std::string&,
                                                   const std::vector<hsize_t>&,
                                                   Hdf5Storage);
template Hdf5Object create_hdf5_rows<std::uint32_t>(hid_t, const std::string&,
                                                    const std::vector<hsize_t>&,
                                                    Hdf5Storage);
template Hdf5Object create_hdf5_rows<std::uint64_t>(hid_t, const std::string&,
                                                    const std::vector<hsize_t>&,
                                                    Hdf5Storage);
template void write_hdf5_part(hid_t, const std::vector<hsize_t>&,
                              const std::vector<hsize_t>&, const std::vector<float>&);
template void write_hdf5_part(hid_t, const std::vector<hsize_t>&,
                              const std::vector<hsize_t>&, const std::vector<double>&);
template void write_hdf5_part(hid_t, const std::vector<hsize_t>&,
                              const std::vector<hsize_t>&,
                              const std::vector<std::int64_t>&);
template void write_hdf5_part(hid_t, const std::vector<hsize_t>&,
                              const std::vector<hsize_t>&,
                              const std::vector<std::uint32_t>&);
template void write_hdf5_part(hid_t, const std::vector<hsize_t>&,
                              const std::vector<hsize_t>&,
                              const std::vector<std::uint64_t>&);

}  // namespace starhist::io
