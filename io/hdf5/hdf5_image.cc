#include "io/hdf5/hdf5_image.hh"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr const char* problem = "cannot be made in memory";

/// HDF5 takes two files of one name for the same file, and refuses the name of a file
/// on the disk. hdf5_location() removes the suffix.
std::string unique_name(const std::string& path) {
  static std::atomic<unsigned> number{0};
  return path + hdf5_image_suffix + std::to_string(++number);
}

/// Receives the bytes of the file that this thread closes.
thread_local std::string* taken = nullptr;

void* allocate(std::size_t size, H5FD_file_image_op_t, void*) {
  return std::malloc(size);
}

void* reallocate(void* bytes, std::size_t size, H5FD_file_image_op_t, void*) {
  return std::realloc(bytes, size);
}

/// HDF5 calls this when it closes a file. H5Fget_file_image() would return a superblock
/// with a wrong checksum (HDF5 1.10.8).
herr_t release(void* bytes, H5FD_file_image_op_t operation, void*) {
  herr_t status = 0;
  if (taken != nullptr && operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
    constexpr std::size_t end_of_file_address = 28;  // in a superblock of HDF5 1.8
    std::uint64_t size = 0;
    std::memcpy(&size, static_cast<char*>(bytes) + end_of_file_address, sizeof size);
    try {
      taken->assign(static_cast<char*>(bytes), size);
    } catch (const std::bad_alloc&) {  // exceptions must not pass through HDF5
      status = -1;
    }
  }
  std::free(bytes);
  return status;
}

Hdf5Object in_memory(const std::string& path) {
  silence_hdf5();
  constexpr std::size_t increment = 1U << 20U;
  Hdf5Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5FD_file_image_callbacks_t callbacks{allocate, nullptr, reallocate, release,
                                        nullptr,  nullptr, nullptr};
  if (H5Pset_fapl_core(access.get(), increment, false) < 0 ||
      H5Pset_file_image_callbacks(access.get(), &callbacks) < 0 ||
      H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18) < 0) {
    throw RunError(path + " " + problem + " (" + hdf5_reason() + ")");
  }
  return access;
}

}  // namespace

Hdf5Object create_hdf5_image(const std::string& path) {
  const Hdf5Object access = in_memory(path);
  const hid_t file =
      H5Fcreate(unique_name(path).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  if (file < 0) {
    throw RunError(path + " " + problem + " (" + hdf5_reason() + ")");
  }
  return {file, H5Fclose};
}

Hdf5Object open_hdf5_image(const std::string& image, const std::string& path) {
  const Hdf5Object access = in_memory(path);
  std::string copy = image;  // HDF5 wants a pointer to non-const, and copies as well
  const hid_t file =
      H5Pset_file_image(access.get(), copy.data(), copy.size()) < 0
          ? H5I_INVALID_HID
          : H5Fopen(unique_name(path).c_str(), H5F_ACC_RDWR, access.get());
  if (file < 0) {
    throw InputError(path + ": is damaged, its header cannot be read (" +
                     hdf5_reason() + ")");
  }
  return {file, H5Fclose};
}

std::string hdf5_image(Hdf5Object&& file) {
  const std::string location = hdf5_location(file.get());
  std::string image;
  taken = &image;
  const herr_t status = file.close();
  taken = nullptr;
  if (status < 0 || image.empty()) {
    throw RunError(location + " " + problem + " (" + hdf5_reason() + ")");
  }
  return image;
}

}  // namespace starhist::io
