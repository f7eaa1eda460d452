#include <iostream>

#include "driver/commands/command.hh"
#include "driver/run/version.hh"
#include "io/formats/gromacs/decoder/gromacs_program.hh"
#include "io/trajectory/format_texts.hh"

namespace starhist::driver {

Manual version_manual() {
  return {.command = "version",
          .summary = "print the versions of starhist and of the GROMACS library",
          .description = "Same as starhist --version and starhist -V.",
          .sections = {{"example", "  starhist version\n"}}};
}

ExitCode run_version(const std::vector<std::string>& arguments) {
  Problems problems;
  if (!parse_options_alone(version_manual(), arguments, problems)) {
    return ExitCode::done;
  }
  problems.throw_if_any("version");
  const io::gromacs::Library library = io::gromacs::library();
  const std::string formats =
      library.usable ? library.text
                     : "not " + io::formats_by_libgromacs() + " (" + library.text + ")";
  std::cout << "starhist " << version() << "\nGROMACS formats: " << formats << '\n';
  return ExitCode::done;
}

}  // namespace starhist::driver
