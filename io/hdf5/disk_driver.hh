#pragma once

#include <mutex>
#include <string>

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace starhist::io {

/// HDF5's driver for files on disk with some functions replaced. Create one object of
/// static lifetime for each such driver. Thread-safe.
class DiskDriver {
 public:
  /// Replaces functions in a copy of HDF5's driver.
  using Change = void (*)(H5FD_class_t& driver);

  enum class Status {
    set,     ///< files opened with the properties use this driver
    other,   ///< HDF5_DRIVER selects another driver, which is kept
    failed,  ///< see hdf5_reason()
  };

  DiskDriver(const char* name, Change change) : name_(name), change_(change) {}

  /// Sets the driver in `file_access`, and registers it on the first call. `path`: an
  /// existing file that is readable with these properties.
  Status set(hid_t file_access, const std::string& path);

  /// Whether set() has set this driver in `file_access`.
  bool is_set(hid_t file_access);

  /// HDF5's driver with its original functions; valid after set().
  const H5FD_class_t& plain() const { return plain_; }

 private:
  bool add_to_hdf5(hid_t file_access, const std::string& path);

  const char* name_;
  Change change_;
  std::mutex mutex_;
  hid_t id_ = H5I_INVALID_HID;
  H5FD_class_t plain_{};
  H5FD_class_t changed_{};  ///< HDF5 keeps a copy
};

}  // namespace starhist::io
