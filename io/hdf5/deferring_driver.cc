#include "io/hdf5/deferring_driver.hh"

#include <new>

#include "io/hdf5/disk_driver.hh"

namespace starhist::io {
namespace {

/// Target of the thread's DeferringScope; null `reads`: outside of a scope.
struct Target {
  DeferredReads* reads = nullptr;
  char* begin = nullptr;
  char* end = nullptr;
};
thread_local Target target;

void change(H5FD_class_t& functions);
DiskDriver driver("starhist", change);

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t offset,
            std::size_t size, void* buffer) {
  auto* const to = static_cast<char*>(buffer);
  void* descriptor = nullptr;
  if (target.reads == nullptr || type != H5FD_MEM_DRAW || to < target.begin ||
      to >= target.end ||
      driver.plain().get_handle(file, H5P_DEFAULT, &descriptor) < 0) {
    return driver.plain().read(file, type, transfer, offset, size, buffer);
  }
  if (size > static_cast<std::size_t>(target.end - to)) {
    return -1;
  }
  try {
    target.reads->add(*static_cast<int*>(descriptor), offset, size, to);
    return 0;
  } catch (const std::bad_alloc&) {  // exceptions must not pass through HDF5
    return driver.plain().read(file, type, transfer, offset, size, buffer);
  }
}

/// Disables the sieve buffer of contiguous datasets, whose reads could not be deferred.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  const herr_t status = driver.plain().query(file, flags);
  if (flags != nullptr) {
    *flags &= ~static_cast<unsigned long>(H5FD_FEAT_DATA_SIEVE);
  }
  return status;
}

void change(H5FD_class_t& functions) {
  functions.read = read;
  functions.query = query;
}

}  // namespace

void use_deferring_driver(hid_t file_access, const std::string& path) {
  driver.set(file_access, path);  // if this fails, HDF5 reads as usual
}

bool defers_reads(hid_t object) {
  const Hdf5Object file(H5Iget_file_id(object), H5Fclose);
  const Hdf5Object access(H5Fget_access_plist(file.get()), H5Pclose);
  return access && driver.is_set(access.get());
}

DeferringScope::DeferringScope(DeferredReads& reads, void* to, std::size_t size) {
  target = {&reads, static_cast<char*>(to), static_cast<char*>(to) + size};
}

DeferringScope::~DeferringScope() {
  target = {};
}

}  // namespace starhist::io
