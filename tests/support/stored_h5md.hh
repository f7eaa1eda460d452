#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::testing {

/// Contents of a file of `starhist convert`, row by row, as HDF5 reads it.
struct StoredH5md {
  std::vector<hsize_t> shape;        ///< of the positions
  std::vector<double> positions;     ///< all frames
  std::vector<std::string> species;  ///< of all rows, of all samples
  std::vector<std::int64_t> steps;   ///< of these samples; empty if constant
  std::vector<std::int64_t> ids;     ///< empty if missing

  bool operator==(const StoredH5md&) const = default;
};

inline std::vector<std::string> names_of(hid_t enumeration,
                                         const std::vector<std::int32_t>& values) {
  std::vector<std::string> names;
  for (const std::int32_t value : values) {
    char name[64] = "";
    H5Tenum_nameof(enumeration, &value, name, sizeof name);
    names.emplace_back(name);
  }
  return names;
}

inline StoredH5md stored_h5md(const std::string& path) {
  StoredH5md stored;
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object all = io::open_hdf5_group(file.get(), "particles/all");
  const io::Hdf5Object value = io::open_hdf5_dataset(all.get(), "position/value");
  stored.shape = io::hdf5_shape(value.get());
  stored.positions = io::read_hdf5_numbers<double>(value.get());
  const bool constant = !io::hdf5_is_group(all.get(), "species");
  const io::Hdf5Object species =
      io::open_hdf5_dataset(all.get(), constant ? "species" : "species/value");
  std::vector<hsize_t> shape = io::hdf5_shape(species.get());
  hsize_t count = 1;
  for (const hsize_t extent : shape) {
    count *= extent;
  }
  std::vector<std::int32_t> values(count);
  const hid_t type = H5Dget_type(species.get());
  H5Dread(species.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  stored.species = names_of(type, values);
  H5Tclose(type);
  if (!constant) {
    const io::Hdf5Object step = io::open_hdf5_dataset(all.get(), "species/step");
    stored.steps = io::read_hdf5_numbers<std::int64_t>(step.get());
  }
  if (io::hdf5_exists(all.get(), "id")) {
    const io::Hdf5Object id = io::open_hdf5_dataset(all.get(), "id");
    stored.ids = io::read_hdf5_numbers<std::int64_t>(id.get());
  }
  return stored;
}

}  // namespace starhist::testing
