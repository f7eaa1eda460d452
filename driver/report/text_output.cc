#include "driver/report/text_output.hh"

#include <iostream>

#include "io/files/whole_file.hh"

namespace starhist::driver {

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
    io::write_whole_file(path, write);
  }
}

}  // namespace starhist::driver
