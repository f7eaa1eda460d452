#include "io/formats/gromacs/decoder/gromacs_version.hh"

#include <exception>

#include "io/formats/gromacs/decoder/gromacs_program.hh"

namespace starhist::io::gromacs {

Library library() {
  if (program_path().empty()) {
    return {false, "built without libgromacs"};
  }
  try {
    decoder::Process process(program());
    process.ask(decoder::Request::version, "");
    return {true, "libgromacs " + std::string(process.content())};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace starhist::io::gromacs
