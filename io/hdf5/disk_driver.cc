#include "io/hdf5/disk_driver.hh"

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

DiskDriver::Status DiskDriver::set(hid_t file_access, const std::string& path) {
  silence_hdf5();
  if (H5Pget_driver(file_access) != H5FD_SEC2) {
    return Status::other;
  }
  const std::lock_guard lock(mutex_);
  const bool done = (id_ >= 0 || add_to_hdf5(file_access, path)) &&
                    H5Pset_driver(file_access, id_, nullptr) >= 0;
  return done ? Status::set : Status::failed;
}

bool DiskDriver::is_set(hid_t file_access) {
  const std::lock_guard lock(mutex_);
  return id_ >= 0 && H5Pget_driver(file_access) == id_;
}

bool DiskDriver::add_to_hdf5(hid_t file_access, const std::string& path) {
  // HDF5 provides its driver class only through an open file.
  H5FD_t* file = H5FDopen(path.c_str(), H5F_ACC_RDONLY, file_access, HADDR_UNDEF);
  if (file == nullptr) {
    return false;
  }
  plain_ = *file->cls;
  H5FDclose(file);
  changed_ = plain_;
  changed_.name = name_;
  changed_.terminate = nullptr;  // HDF5's own driver releases its resources
#if H5_VERSION_GE(1, 13, 0)
  constexpr auto for_experiments = static_cast<H5FD_class_value_t>(311);
  changed_.value = for_experiments;
#endif
  change_(changed_);
  id_ = H5FDregister(&changed_);
  return id_ >= 0;
}

}  // namespace starhist::io
