#include <csignal>
#include <exception>
#include <iostream>
#include <new>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/run/version.hh"
#include "io/formats/gromacs/decoder/gromacs_version.hh"

namespace starhist::driver {
namespace {

void print_help() {
  std::cout << "starhist " << version()
            << ": exact pair-distance histograms and radial distribution functions\n\n"
               "usage: starhist COMMAND [options]\n\n";
  for (const Command& command : commands()) {
    std::cout << "  " << command.name << std::string(12 - command.name.size(), ' ')
              << command.summary << '\n';
  }
  std::cout << "\nstart with\n"
               "  starhist info traj.h5\n"
               "  starhist rdf traj.h5 -o rdf.h5 --r-max 1.2 --bins 240\n"
               "  starhist export rdf.h5 --quantity g --format csv\n\n"
               "`starhist COMMAND --help` explains a command.\n";
}

ExitCode dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      arguments[0] == "help") {
    print_help();
    return arguments.empty() ? ExitCode::bad_input : ExitCode::done;
  }
  if (arguments[0] == "--version") {
    const std::string gromacs_version =
        io::gromacs::version();  // one write for both lines
    std::cout << "starhist " << version() << "\nGROMACS formats: " << gromacs_version
              << '\n';
    return ExitCode::done;
  }
  for (const Command& command : commands()) {
    if (command.name == arguments[0]) {
      return command.run({arguments.begin() + 1, arguments.end()});
    }
  }
  throw InputError("unknown command '" + arguments[0] +
                   "' (starhist --help lists the commands)");
}

ExitCode report(const char* message, ExitCode code) {
  std::cerr << "starhist: " << message << '\n';
  return code;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"rdf", "count the pairs of a trajectory, write a result file", run_rdf},
      {"info", "what is in a trajectory or a result file", run_info},
      {"export", "counts, g(r) or coordination numbers as csv, xvg or json",
       run_export},
      {"analyze", "S(q), I(q), Kirkwood-Buff integrals, block lengths, from the counts",
       run_analyze},
      {"convert", "any trajectory as H5MD", run_convert},
      {"merge", "the blocks of several results in one file", run_merge},
      {"selftest", "compare this machine's kernels with the definition", run_selftest},
      {"calibrate", "measure tasks, so that schedulers can place them", run_calibrate},
      {"bench", "speed of this machine's kernels", run_bench},
  };
  return list;
}

ExitCode run_program(const std::vector<std::string>& arguments) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file size limit is an error of the write, not death
  try {
    const ExitCode code = dispatch(arguments);
    std::cout.flush();
    if (!std::cout) {
      return report("cannot write to standard output", ExitCode::failure);
    }
    return code;
  } catch (const InputError& error) {
    return report(error.what(), ExitCode::bad_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory (use fewer bins, or lower --memory)",
                  ExitCode::failure);
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::failure);
  }
}

}  // namespace starhist::driver
