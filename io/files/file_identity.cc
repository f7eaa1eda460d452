#include "io/files/file_identity.hh"

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include <sys/stat.h>
#include <zlib.h>

#include "io/files/descriptor.hh"

namespace starhist::io {

bool is_named(int file, const std::string& name) noexcept {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

namespace {

/// Bytes that are read at one offset.
using Sample = std::array<unsigned char, 4096>;

std::string hexadecimal(unsigned long sum) {
  char text[16];
  std::snprintf(text, sizeof text, "%08lx", sum);
  return text;
}

/// Returns the checksum of the samples at these offsets; "" if one cannot be read.
std::string checksum_text(const Descriptor& file,
                          std::initializer_list<off_t> offsets) {
  unsigned long sum = 0;
  for (const off_t offset : offsets) {
    Sample bytes{};
    const ssize_t size = ::pread(file.get(), bytes.data(), bytes.size(), offset);
    if (size < 0) {
      return "";
    }
    sum = crc32_z(sum, bytes.data(), static_cast<std::size_t>(size));
  }
  return hexadecimal(sum);
}

/// Returns the size of a regular file; -1 for others.
off_t regular_size(const Descriptor& file) {
  struct stat state {};
  return ::fstat(file.get(), &state) == 0 && S_ISREG(state.st_mode) ? state.st_size
                                                                    : -1;
}

}  // namespace

std::string first_bytes_text(const std::string& path) {
  return checksum_text(Descriptor(path, O_RDONLY | O_NONBLOCK), {0});
}

std::string sampled_bytes_text(const std::string& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  const off_t size = regular_size(file);
  if (size < 0) {
    return "";
  }
  const auto last = std::max<off_t>(0, size - static_cast<off_t>(sizeof(Sample)));
  return checksum_text(file, {0, last / 2, last});
}

std::string all_bytes_text(const std::string& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  if (regular_size(file) < 0) {
    return "";
  }
  std::vector<unsigned char> bytes(std::size_t{1} << 20U);
  unsigned long sum = 0;
  ssize_t size = 0;
  while ((size = ::read(file.get(), bytes.data(), bytes.size())) > 0) {
    sum = crc32_z(sum, bytes.data(), static_cast<std::size_t>(size));
  }
  return size < 0 ? "" : hexadecimal(sum);
}

}  // namespace starhist::io
