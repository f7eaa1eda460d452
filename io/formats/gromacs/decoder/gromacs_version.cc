#include "io/formats/gromacs/decoder/gromacs_version.hh"

#include <exception>

#include "io/formats/gromacs/decoder/gromacs_process.hh"

namespace starhist::io::gromacs {

Library library() {
  if (program_path().empty()) {
    return {false, "built without libgromacs"};
  }
  try {
    Process process;
    process.ask(Request::version, "");
    return {true, "libgromacs " + std::string(process.content())};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace starhist::io::gromacs
