#include "io/formats/gromacs/decoder/gromacs_version.hh"

#include <exception>

#include "io/formats/gromacs/decoder/gromacs_process.hh"

namespace starhist::io::gromacs {

std::string version() {
  if (program_path().empty()) {
    return "none but TRR (built without libgromacs)";
  }
  try {
    Process process;
    process.ask(Request::version, "");
    return "libgromacs " + std::string(process.content());
  } catch (const std::exception& error) {
    return "none but TRR (" + std::string(error.what()) + ")";
  }
}

}  // namespace starhist::io::gromacs
