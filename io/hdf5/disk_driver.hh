#pragma once

#include <optional>
#include <string>

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace starhist::io {

/// HDF5's driver for files on disk, to be registered under `name` after some of its
/// functions are replaced. `path` is an existing file that can be read; `file_access`:
/// properties it is opened with. Nothing if HDF5_DRIVER selects another driver, or the
/// file cannot be opened. Call silence_hdf5() before.
std::optional<H5FD_class_t> disk_driver_named(const char* name, hid_t file_access,
                                              const std::string& path);

}  // namespace starhist::io
