#include "io/files/file_identity.hh"

#include <sys/stat.h>

namespace starhist::io {

bool is_named(int file, const std::string& name) noexcept {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace starhist::io
