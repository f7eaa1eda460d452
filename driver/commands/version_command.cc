#include <iostream>

#include "driver/commands/command.hh"
#include "driver/run/version.hh"
#include "io/formats/gromacs/decoder/gromacs_version.hh"

namespace starhist::driver {

Manual version_manual() {
  return {.command = "version",
          .summary = "version of the program and of GROMACS' library",
          .description = "The same as starhist --version and starhist -V.",
          .sections = {{"example", "  starhist version\n"}}};
}

ExitCode run_version(const std::vector<std::string>& arguments) {
  Problems problems;
  if (!parse_options_alone(version_manual(), arguments, problems)) {
    return ExitCode::done;
  }
  problems.throw_if_any("version");
  const std::string gromacs_version =
      io::gromacs::version();  // one write for both lines
  std::cout << "starhist " << version() << "\nGROMACS formats: " << gromacs_version
            << '\n';
  return ExitCode::done;
}

}  // namespace starhist::driver
