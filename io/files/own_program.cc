#include "io/files/own_program.hh"

#include <system_error>

namespace starhist::io {

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace starhist::io
