#include "io/hdf5/hdf5_detach.hh"

#include <sys/mman.h>
#include <unistd.h>

namespace starhist::io {

void detach_hdf5_file(hid_t file) noexcept {
  silence_hdf5();
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || handle == nullptr) {
    return;
  }
  const int nowhere = ::memfd_create("abandoned", MFD_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, *static_cast<int*>(handle));
    ::close(nowhere);
  }
}

}  // namespace starhist::io
