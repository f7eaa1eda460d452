#pragma once

#include <array>
#include <string>

#include "tests/support/h5md_file.hh"

namespace starhist::testing {

/// Ways in which the data of an HDF5 file can be in another one.
enum class ExternalData {
  link,             ///< /particles is an external link
  link_by_soft,     ///< /particles is a soft link to one elsewhere in the file
  virtual_dataset,  ///< positions are a virtual dataset
  storage,          ///< positions are in a file without a format
};

/// Writes `folder`/NAME.h5 with its data in `folder`/other-NAME; the small trajectory
/// of write_h5md(). Returns the path of the first.
inline std::string write_external(const std::string& folder, ExternalData way,
                                  const std::string& name = "traj") {
  const std::string path = folder + "/" + name + ".h5";
  const std::string other = "other-" + name;
  const std::string value = "/particles/all/position/value";
  const SmallTrajectory trajectory = small_trajectory();
  write_h5md(path, trajectory);
  const std::array<hsize_t, 3> shape{3, 5, 3};
  const io::Hdf5Object space(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
  const io::Hdf5Object properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (way != ExternalData::storage) {
    write_h5md(folder + "/" + other, trajectory);
  }
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  if (way == ExternalData::link || way == ExternalData::link_by_soft) {
    H5Ldelete(file.get(), "particles", H5P_DEFAULT);
    const bool soft = way == ExternalData::link_by_soft;
    H5Lcreate_external(other.c_str(), "/particles", file.get(),
                       soft ? "elsewhere" : "particles", H5P_DEFAULT, H5P_DEFAULT);
    if (soft) {
      H5Lcreate_soft("/elsewhere", file.get(), "particles", H5P_DEFAULT, H5P_DEFAULT);
    }
    return path;
  }
  std::vector<double> positions;
  for (const auto& frame : trajectory.positions) {
    positions.insert(positions.end(), frame.begin(), frame.end());
  }
  H5Ldelete(file.get(), value.c_str(), H5P_DEFAULT);
  if (way == ExternalData::virtual_dataset) {
    H5Pset_virtual(properties.get(), space.get(), other.c_str(), value.c_str(),
                   space.get());
  } else {
    H5Pset_external(properties.get(), (folder + "/" + other).c_str(), 0, H5F_UNLIMITED);
  }
  const io::Hdf5Object dataset(
      H5Dcreate2(file.get(), value.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                 properties.get(), H5P_DEFAULT),
      H5Dclose);
  if (way == ExternalData::storage) {
    H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             positions.data());
  }
  return path;
}

}  // namespace starhist::testing
