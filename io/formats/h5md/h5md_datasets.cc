#include "io/formats/h5md/h5md_datasets.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::io {

std::string h5md_unit(const std::string& unit) {
  return unit == "A" ? "Angstrom" : unit;
}

Hdf5Object create_h5md_positions(hid_t group, const std::array<hsize_t, 3>& shape,
                                 hid_t type) {
  const char* name = "value";
  // HDF5 requires chunks of at least one particle, even in an empty dataset.
  const hsize_t particles = std::max<hsize_t>(shape[1], 1);
  const std::array<hsize_t, 3> limit{H5S_UNLIMITED, particles, shape[2]};
  const std::array<hsize_t, 3> chunk{1, particles, shape[2]};
  const Hdf5Object space =
      own_hdf5<RunError>(H5Screate_simple(3, shape.data(), limit.data()), H5Sclose,
                         group, name, unwritable);
  const Hdf5Object creation = own_hdf5<RunError>(H5Pcreate(H5P_DATASET_CREATE),
                                                 H5Pclose, group, name, unwritable);
  const Hdf5Object access = own_hdf5<RunError>(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose,
                                               group, name, unwritable);
  check_hdf5<RunError>(H5Pset_chunk(creation.get(), 3, chunk.data()), group, name,
                       unwritable);
  // Disable HDF5's chunk cache, so that frames go to the disk at once: a cache would
  // fill up and be written when the free space is no longer checked.
  check_hdf5<RunError>(H5Pset_chunk_cache(access.get(), 0, 0, 1.0), group, name,
                       unwritable);
  return own_hdf5<RunError>(H5Dcreate2(group, name, type, space.get(), H5P_DEFAULT,
                                       creation.get(), access.get()),
                            H5Dclose, group, name, unwritable);
}

Hdf5Object create_h5md_enumeration(hid_t group, const std::vector<std::string>& names) {
  const char* path = "species";
  Hdf5Object type = own_hdf5<RunError>(H5Tenum_create(H5T_NATIVE_INT32), H5Tclose,
                                       group, path, unwritable);
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(names.size()); ++k) {
    check_hdf5<RunError>(
        H5Tenum_insert(type.get(), names[static_cast<std::size_t>(k)].c_str(), &k),
        group, path, unwritable);
  }
  return type;
}

void write_h5md_species(hid_t group, const std::vector<std::string>& names,
                        const std::vector<std::int32_t>& species) {
  const char* path = "species";
  const Hdf5Object type = create_h5md_enumeration(group, names);
  const hsize_t count = species.size();
  const Hdf5Object space = own_hdf5<RunError>(H5Screate_simple(1, &count, nullptr),
                                              H5Sclose, group, path, unwritable);
  const Hdf5Object dataset =
      own_hdf5<RunError>(H5Dcreate2(group, path, type.get(), space.get(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, group, path, unwritable);
  check_hdf5<RunError>(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL,
                                H5P_DEFAULT, species.data()),
                       group, path, unwritable);
}

void link_hdf5(hid_t file, const std::string& target, const std::string& name) {
  check_hdf5<RunError>(H5Lcreate_hard(file, target.c_str(), file, name.c_str(),
                                      H5P_DEFAULT, H5P_DEFAULT),
                       file, name, unwritable);
}

}  // namespace starhist::io
