#include "driver/report/text_output.hh"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "codelets/core/base/error.hh"

namespace starhist::driver {

void check_not_source(const std::string& path, const std::string& source) {
  std::error_code ignored;
  if (std::filesystem::equivalent(path, source, ignored)) {
    throw InputError("output '" + path + "' is the result file that is read");
  }
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    std::cerr << "starhist: " << note << '\n';
  }
}

void write_text(const std::string& path, const std::string& source,
                const std::function<void(std::ostream&)>& write) {
  if (path.empty()) {
    write(std::cout);
    return;
  }
  check_not_source(path, source);
  std::ostringstream text;  // an exception of write() then leaves no file
  write(text);
  std::ofstream file(path);
  if (!file) {
    throw InputError("cannot write to '" + path + "'");
  }
  file << text.str();
  file.close();
  if (!file) {
    throw RunError("cannot write to '" + path + "' (disk full?)");
  }
}

}  // namespace starhist::driver
