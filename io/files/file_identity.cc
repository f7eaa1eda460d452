#include "io/files/file_identity.hh"

#include <array>
#include <cstdio>

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

std::string first_bytes_text(const std::string& path) {
  std::array<unsigned char, 4096> bytes{};
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  const ssize_t size =
      file.get() < 0 ? -1 : ::pread(file.get(), bytes.data(), bytes.size(), 0);
  if (size < 0) {
    return "";
  }
  char text[16];
  std::snprintf(text, sizeof text, "%08lx",
                crc32_z(0, bytes.data(), static_cast<std::size_t>(size)));
  return text;
}

}  // namespace starhist::io
