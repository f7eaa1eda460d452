#include "io/hdf5_file.hh"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "codelets/core/error.hh"
#include "io/file_look.hh"
#include "io/lzf_filter.hh"

namespace starhist {
namespace {

constexpr const char* what_is_read =
    "starhist reads H5MD and CADISHI's HDF5 trajectories; convert others to H5MD first";

void check_is_file(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError(path + ": does not exist");
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(path + ": is a directory");
  }
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw InputError(path + ": cannot be opened (" + std::strerror(errno) + ")");
  }
  if (std::filesystem::file_size(path, failure) == 0) {
    throw InputError(path + ": is empty (0 bytes)");
  }
}

}  // namespace

Hdf5Object open_hdf5_file(const std::string& path) {
  check_is_file(path);
  silence_hdf5();
  register_lzf_filter();
  Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file) {
    return file;
  }
  const std::string reason = hdf5_reason();
  const FileLook look = look_at(path);
  if (look.is_hdf5) {
    throw InputError(path + ": is an HDF5 file, but truncated, damaged or in use (" +
                     reason + "); check it with h5ls, or copy it again");
  }
  throw InputError(path + ": is not an HDF5 file but looks like " + look.description +
                   " (" + what_is_read + ")");
}

}  // namespace starhist
