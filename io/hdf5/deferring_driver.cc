#include "io/hdf5/deferring_driver.hh"

#include <mutex>
#include <new>

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace starhist::io {
namespace {

/// Target of the thread's DeferringScope; null `reads`: outside of a scope.
struct Target {
  DeferredReads* reads = nullptr;
  char* begin = nullptr;
  char* end = nullptr;
};
thread_local Target target;

std::mutex registration;
hid_t driver = H5I_INVALID_HID;  ///< the deferring driver, registered on first use
H5FD_class_t plain{};            ///< HDF5's driver for files on disk

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t offset,
            std::size_t size, void* buffer) {
  auto* const to = static_cast<char*>(buffer);
  void* descriptor = nullptr;
  if (target.reads == nullptr || type != H5FD_MEM_DRAW || to < target.begin ||
      to >= target.end || plain.get_handle(file, H5P_DEFAULT, &descriptor) < 0) {
    return plain.read(file, type, transfer, offset, size, buffer);
  }
  if (size > static_cast<std::size_t>(target.end - to)) {
    return -1;
  }
  try {
    target.reads->add(*static_cast<int*>(descriptor), offset, size, to);
    return 0;
  } catch (const std::bad_alloc&) {  // exceptions must not pass through HDF5
    return plain.read(file, type, transfer, offset, size, buffer);
  }
}

/// Disables the sieve buffer of contiguous datasets, whose reads could not be deferred.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  const herr_t status = plain.query(file, flags);
  if (flags != nullptr) {
    *flags &= ~static_cast<unsigned long>(H5FD_FEAT_DATA_SIEVE);
  }
  return status;
}

/// Registers the driver: HDF5's own, which is known only through an open file, with two
/// functions replaced. Returns false if HDF5 cannot open the file or register a driver.
bool add_to_hdf5(hid_t file_access, const std::string& path) {
  H5FD_t* file = H5FDopen(path.c_str(), H5F_ACC_RDONLY, file_access, HADDR_UNDEF);
  if (file == nullptr) {
    return false;
  }
  plain = *file->cls;
  H5FDclose(file);
  H5FD_class_t changed = plain;  // HDF5 keeps a copy
  changed.name = "starhist";
  changed.terminate = nullptr;  // HDF5's own driver releases its resources
#if H5_VERSION_GE(1, 13, 0)
  constexpr auto for_experiments = static_cast<H5FD_class_value_t>(311);
  changed.value = for_experiments;
#endif
  changed.read = read;
  changed.query = query;
  driver = H5FDregister(&changed);
  return driver >= 0;
}

}  // namespace

void use_deferring_driver(hid_t file_access, const std::string& path) {
  silence_hdf5();
  if (H5Pget_driver(file_access) != H5FD_SEC2) {
    return;
  }
  const std::lock_guard lock(registration);
  if (driver >= 0 || add_to_hdf5(file_access, path)) {
    H5Pset_driver(file_access, driver, nullptr);  // if this fails, HDF5 reads as usual
  }
}

bool defers_reads(hid_t object) {
  const Hdf5Object file(H5Iget_file_id(object), H5Fclose);
  const Hdf5Object access(H5Fget_access_plist(file.get()), H5Pclose);
  const std::lock_guard lock(registration);
  return access && driver >= 0 && H5Pget_driver(access.get()) == driver;
}

DeferringScope::DeferringScope(DeferredReads& reads, void* to, std::size_t size) {
  target = {&reads, static_cast<char*>(to), static_cast<char*>(to) + size};
}

DeferringScope::~DeferringScope() {
  target = {};
}

}  // namespace starhist::io
