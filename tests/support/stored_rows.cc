#include "tests/support/stored_rows.hh"

#include "codelets/core/base/error.hh"

namespace starhist::testing {
namespace {

io::Hdf5Object owned(hid_t id, io::Hdf5Object::Closer closer) {
  if (id < 0) {
    throw InternalError("HDF5 refuses the test's file: " + io::hdf5_reason());
  }
  return {id, closer};
}

void check(herr_t status) {
  if (status < 0) {
    throw InternalError("HDF5 refuses the test's file: " + io::hdf5_reason());
  }
}

io::Hdf5Object make_file(const std::string& path, const RowStorage& storage) {
  const io::Hdf5Object creation = owned(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  const io::Hdf5Object access = owned(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_userblock(creation.get(), storage.user_block));
  if (storage.latest) {
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  }
  return owned(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
               H5Fclose);
}

io::Hdf5Object make_creation(const std::string& path, const RowStorage& storage) {
  io::Hdf5Object creation = owned(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hid_t id = creation.get();
  if (!storage.chunk.empty()) {
    check(H5Pset_chunk(id, 3, storage.chunk.data()));
  }
  if (storage.deflate) {
    check(H5Pset_deflate(id, 1));
  }
  if (storage.fill) {
    const double value = 77.0;
    check(H5Pset_fill_value(id, H5T_NATIVE_DOUBLE, &value));
  }
  if (storage.external) {
    check(H5Pset_external(id, (path + ".values").c_str(), 24, H5F_UNLIMITED));
  }
  if (storage.virtual_set) {
    const io::Hdf5Object space =
        owned(H5Screate_simple(3, stored_shape.data(), nullptr), H5Sclose);
    check(H5Pset_virtual(id, space.get(), ".", "source", space.get()));
  }
  return creation;
}

/// Only every other chunk of rows if there is a fill value.
void write_rows(hid_t dataset, const RowStorage& storage) {
  Random random(3);
  const hsize_t row = stored_shape[1] * stored_shape[2];
  const io::Hdf5Object file = owned(H5Dget_space(dataset), H5Sclose);
  const hsize_t count[] = {1, stored_shape[1], stored_shape[2]};
  const io::Hdf5Object memory = owned(H5Screate_simple(3, count, nullptr), H5Sclose);
  for (hsize_t k = 0; k < stored_shape[0]; ++k) {
    std::vector<double> values(row);
    for (double& value : values) {
      value = static_cast<double>(random.below(251));
    }
    if (storage.fill && k / storage.chunk[0] % 2 == 1) {
      continue;
    }
    const hsize_t start[] = {k, 0, 0};
    check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start, nullptr, count,
                              nullptr));
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.get(), file.get(), H5P_DEFAULT,
                   values.data()));
  }
}

}  // namespace

void write_stored_rows(const std::string& path, const RowStorage& storage) {
  io::silence_hdf5();
  const io::Hdf5Object file = make_file(path, storage);
  std::vector<hsize_t> most = stored_shape;
  if (!storage.chunk.empty() && storage.can_grow) {
    most = {H5S_UNLIMITED, storage.chunk[1], stored_shape[2]};
    most[1] = std::max(most[1], stored_shape[1]);
  }
  const io::Hdf5Object space =
      owned(H5Screate_simple(3, stored_shape.data(), most.data()), H5Sclose);
  const auto make = [&](const char* name, const RowStorage& how) {
    const io::Hdf5Object creation = make_creation(path, how);
    return owned(H5Dcreate2(file.get(), name, how.type, space.get(), H5P_DEFAULT,
                            creation.get(), H5P_DEFAULT),
                 H5Dclose);
  };
  if (storage.virtual_set) {
    RowStorage source = storage;
    source.virtual_set = false;
    write_rows(make("source", source).get(), source);
    make("rows", storage);
  } else {
    write_rows(make("rows", storage).get(), storage);
  }
}

}  // namespace starhist::testing
