#include "driver/report/text_output.hh"

#include <filesystem>
#include <fstream>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "io/files/whole_file.hh"

namespace starhist::driver {
namespace {

/// True for an HDF5 file, and for the log of an unfinished run.
bool is_result(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return false;
  }
  std::string bytes(9, '\0');
  std::ifstream(path, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes.starts_with("\x89HDF\r\n\x1a\n") || bytes == "\x89starhist";
}

}  // namespace

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    std::cerr << "starhist: " << note << '\n';
  }
}

void write_text(const std::string& path,
                const std::function<void(std::ostream&)>& write) {
  if (path.empty() || path == "-") {
    write(std::cout);
  } else {
    if (is_result(path)) {
      throw InputError(path +
                       " is an HDF5 file or the log of an unfinished run, which text "
                       "would replace (choose another name, or remove the file)");
    }
    io::write_whole_file(path, write);
  }
}

}  // namespace starhist::driver
