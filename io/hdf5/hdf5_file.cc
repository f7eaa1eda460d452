#include "io/hdf5/hdf5_file.hh"

#include <cerrno>
#include <string_view>
#include <system_error>

#include "codelets/core/base/error.hh"
#include "io/files/file_signature.hh"
#include "io/hdf5/deferring_driver.hh"
#include "io/hdf5/lzf_filter.hh"

namespace starhist::io {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// Returns file access properties with a small metadata cache. By default, HDF5 keeps
/// the whole chunk index in memory, which grows with the trajectory; a few of its nodes
/// suffice, because frames are read in order.
Hdf5Object bounded_index_cache() {
  // Limit by HDF5's accounting [bytes]; a decoded node takes six times as much.
  constexpr std::size_t most_bytes = 64 * 1024;
  Hdf5Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access.get(), &cache) >= 0) {
    cache.set_initial_size = true;
    cache.initial_size = most_bytes;
    cache.max_size = most_bytes;
    cache.min_size = most_bytes;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
  }
  if (H5Pset_mdc_config(access.get(), &cache) < 0) {
    throw InternalError("HDF5's cache cannot be set (" + hdf5_reason() + ")");
  }
  return access;
}

}  // namespace

Hdf5Object try_open_hdf5_file(const std::string& path, Hdf5Reading reading) {
  check_is_file(path);
  silence_hdf5();
  register_lzf_filter();
  const Hdf5Object access = bounded_index_cache();
  if (reading == Hdf5Reading::deferred) {
    use_deferring_driver(access.get(), path);
  }
  Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (file) {
    return file;
  }
  const std::string reason = hdf5_reason();
  const std::string no_locks = std::generic_category().message(ENOLCK);
  if (reason.find("lock") != std::string::npos &&
      reason.find(no_locks) != std::string::npos) {
    throw InputError(path + ": HDF5 cannot lock it, as its file system has no locks (" +
                     no_locks +
                     "): set HDF5_USE_FILE_LOCKING=FALSE, or copy it elsewhere");
  }
  if (has_bytes_at(signature_of_file(path).bytes, 0, hdf5_signature)) {
    throw InputError(path + ": is an HDF5 file, but truncated, damaged or in use (" +
                     reason + "); check it with h5ls, or copy it again");
  }
  return {};
}

Hdf5Object create_hdf5_file(const std::string& path) {
  silence_hdf5();
  const Hdf5Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  bool set = H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0;
#if H5_VERSION_GE(1, 10, 7)
  set = set && H5Pset_file_locking(access.get(), false, true) >= 0;
#endif
  // Without the sieve buffer, writing a dataset reports disk errors; otherwise only
  // closing it would.
  set = set && H5Pset_sieve_buf_size(access.get(), 0) >= 0;
  const hid_t file =
      set ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
          : H5I_INVALID_HID;
  if (file < 0) {
    throw RunError(path + " cannot be written (" + hdf5_reason() +
                   "; make room, or write to another disk)");
  }
  return {file, H5Fclose};
}

Hdf5Object open_hdf5_file(const std::string& path, Hdf5Reading reading) {
  Hdf5Object file = try_open_hdf5_file(path, reading);
  if (!file) {
    throw InputError(path + ": is not an HDF5 file but looks like " +
                     signature_of_file(path).description);
  }
  return file;
}

}  // namespace starhist::io
