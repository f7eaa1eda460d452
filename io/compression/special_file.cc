#include "io/compression/special_file.hh"

#include <filesystem>
#include <system_error>

#include "codelets/core/base/error.hh"

namespace starhist::io {

void refuse_special_file(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code unknown;
  const file_type type = std::filesystem::status(path, unknown).type();
  if (type == file_type::fifo || type == file_type::socket ||
      type == file_type::character || type == file_type::block) {
    throw InputError(path +
                     ": is a pipe or a device (files are read more than once): write "
                     "its contents to a file");
  }
}

}  // namespace starhist::io
