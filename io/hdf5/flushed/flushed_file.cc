#include "io/hdf5/flushed/flushed_file.hh"

#include "codelets/core/base/error.hh"
#include "io/hdf5/flushed/journaling_driver.hh"

namespace starhist::io {
namespace {

/// Disables HDF5's lock: others may read the file while it is written, and writers must
/// hold the lock of the output.
bool without_lock(hid_t access) {
#if H5_VERSION_GE(1, 10, 7)
  return H5Pset_file_locking(access, false, true) >= 0;
#else
  return access >= 0;
#endif
}

/// Returns file access properties: objects of at least `threshold` bytes begin at
/// multiples of `alignment`.
Hdf5Object access_properties(const std::string& path, hsize_t threshold,
                             hsize_t alignment) {
  silence_hdf5();
  // Space reserved in advance for indices, so that they stay within the end of the file
  // recorded in the superblock.
  constexpr hsize_t reserved_for_indices = 64 * 1024;
  // Disable the sieve buffer, so that writing a dataset reports disk errors; otherwise
  // only closing it would.
  Hdf5Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18) < 0 ||
      H5Pset_meta_block_size(access.get(), reserved_for_indices) < 0 ||
      H5Pset_alignment(access.get(), threshold, alignment) < 0 ||
      H5Pset_sieve_buf_size(access.get(), 0) < 0 || !without_lock(access.get())) {
    throw RunError(path + " cannot be opened (" + hdf5_reason() + ")");
  }
  return access;
}

}  // namespace

Hdf5Object create_flushed_file(const std::string& path) {
  const Hdf5Object access = access_properties(path, 1, 512);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  if (file < 0) {
    throw RunError(path + " cannot be written (" + hdf5_reason() + ")");
  }
  return {file, H5Fclose};
}

Hdf5Object reopen_flushed_file(const std::string& path, const std::string& journal) {
  const Hdf5Object access = access_properties(path, 2048, 4096);
  const JournalingScope scope(access.get(), path, journal);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get());
  if (file < 0) {
    throw RunError(path + " cannot be opened for writing (" + hdf5_reason() + ")");
  }
  return {file, H5Fclose};
}

}  // namespace starhist::io
