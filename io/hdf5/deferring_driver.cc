#include "io/hdf5/deferring_driver.hh"

#include <mutex>
#include <new>

#include "io/hdf5/disk_driver.hh"

namespace starhist::io {
namespace {

/// The DeferringScope of a thread; no reads: none.
struct Target {
  DeferredReads* reads = nullptr;
  char* begin = nullptr;
  char* end = nullptr;
};
thread_local Target target;

/// HDF5's driver, of which the deferring one is a copy.
H5FD_class_t plain;

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t offset,
            std::size_t size, void* buffer) {
  auto* const to = static_cast<char*>(buffer);
  void* descriptor = nullptr;
  if (target.reads == nullptr || type != H5FD_MEM_DRAW || to < target.begin ||
      to >= target.end || size > static_cast<std::size_t>(target.end - to) ||
      plain.get_handle(file, H5P_DEFAULT, &descriptor) < 0) {
    return plain.read(file, type, transfer, offset, size, buffer);
  }
  try {
    target.reads->add(*static_cast<int*>(descriptor), offset, size, to);
    return 0;
  } catch (const std::bad_alloc&) {  // no exception may leave a function of HDF5's
    return plain.read(file, type, transfer, offset, size, buffer);
  }
}

/// Features of the driver, without the sieve buffer for contiguous datasets, whose
/// reads could not be deferred.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  const herr_t status = plain.query(file, flags);
  if (flags != nullptr) {
    *flags &= ~static_cast<unsigned long>(H5FD_FEAT_DATA_SIEVE);
  }
  return status;
}

/// Registers the deferring driver. Negative if that fails.
hid_t make_driver(hid_t file_access, const std::string& path) {
  const auto disk = disk_driver_named("starhist", file_access, path);
  if (!disk) {
    return H5I_INVALID_HID;
  }
  plain = *disk;
  static H5FD_class_t deferring = plain;
  deferring.read = read;
  deferring.query = query;
  return H5FDregister(&deferring);
}

}  // namespace

void use_deferring_driver(hid_t file_access, const std::string& path) {
  static std::mutex mutex;
  static hid_t driver = H5I_INVALID_HID;
  silence_hdf5();
  if (H5Pget_driver(file_access) != H5FD_SEC2) {
    return;
  }
  const std::lock_guard lock(mutex);
  if (driver < 0) {
    driver = make_driver(file_access, path);
  }
  if (driver >= 0) {
    H5Pset_driver(file_access, driver, nullptr);
  }
}

DeferringScope::DeferringScope(DeferredReads& reads, void* to, std::size_t size) {
  target = {&reads, static_cast<char*>(to), static_cast<char*>(to) + size};
}

DeferringScope::~DeferringScope() {
  target = {};
}

}  // namespace starhist::io
