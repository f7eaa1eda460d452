#include "io/formats/gromacs/decoder/gromacs_program.hh"

#include <exception>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"

namespace starhist::io::gromacs {

std::string program_path() {
  // Places relative to the running program: its own folder; a neighbouring folder, for
  // tests of a build archive (scripts/setup); and the installation folder, also for
  // other programs that use the library.
  return program_at({
      "starhist-gromacs",
      "../bin/starhist-gromacs",
#ifdef STARHIST_LIBEXEC  // otherwise it could belong to another version
      STARHIST_LIBEXEC_FROM_BIN "/starhist-gromacs",
      STARHIST_LIBEXEC "/starhist-gromacs",
#endif
  });
}

decoder::Program program() {
  return {
      .command = {program_path()}, .name = "starhist-gromacs", .library = "libgromacs"};
}

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

void check_built(const std::string& path, const std::string& what) {
  if (program_path().empty()) {
    throw InputError(
        path + ": is " + what +
        ", and this starhist was built without libgromacs, which reads it "
        "(install libgromacs-dev and build again, or convert the file with "
        "scripts/user/convert_any.py)");
  }
}

}  // namespace starhist::io::gromacs
