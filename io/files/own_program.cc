#include "io/files/own_program.hh"

#include <system_error>

#include <unistd.h>

namespace starhist::io {

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

std::string program_at(std::initializer_list<const char*> places) {
  const std::filesystem::path folder = own_program().parent_path();
  for (const char* place : places) {
    std::string path = (folder / place).string();
    if (::access(path.c_str(), X_OK) == 0) {
      return path;
    }
  }
  return "";
}

}  // namespace starhist::io
