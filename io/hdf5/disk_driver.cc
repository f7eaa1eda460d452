#include "io/hdf5/disk_driver.hh"

namespace starhist::io {

std::optional<H5FD_class_t> disk_driver_named(const char* name, hid_t file_access,
                                              const std::string& path) {
  if (H5Pget_driver(file_access) != H5FD_SEC2) {
    return std::nullopt;
  }
  // HDF5 tells of its drivers only by an open file.
  H5FD_t* file = H5FDopen(path.c_str(), H5F_ACC_RDONLY, file_access, HADDR_UNDEF);
  if (file == nullptr) {
    return std::nullopt;
  }
  H5FD_class_t driver = *file->cls;
  H5FDclose(file);
  driver.name = name;
  driver.terminate = nullptr;  // HDF5's own driver releases its resources itself
#if H5_VERSION_GE(1, 13, 0)
  constexpr auto for_experiments = static_cast<H5FD_class_value_t>(311);
  driver.value = for_experiments;
#endif
  return driver;
}

}  // namespace starhist::io
