#include <algorithm>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/run/version.hh"

namespace starhist::driver {
namespace {

void print_commands() {
  std::size_t longest = 0;
  for (const Command& command : commands()) {
    longest = std::max(longest, command.manual.command.size());
  }
  std::cout << "starhist " << version()
            << ": exact pair-distance histograms and radial distribution functions\n\n"
               "usage: starhist COMMAND [options]\n\ncommands:\n";
  for (const Command& command : commands()) {
    const std::string& name = command.manual.command;
    std::cout << "  " << name << std::string(longest + 2 - name.size(), ' ')
              << command.manual.summary << '\n';
  }
  std::cout << "\nstart with:\n  starhist info traj.h5\n  starhist rdf traj.h5 -o "
               "rdf.h5 --r-max 1.2 --bins 240\n  starhist export rdf.h5 --quantity g "
               "--format csv\n  starhist plot rdf.h5 -o rdf.svg\n\n`starhist help "
               "COMMAND` and `starhist COMMAND --help` show a command's help.\n";
}

}  // namespace

Manual help_manual() {
  return {.command = "help",
          .summary = "list the commands, or explain one",
          .synopsis = "[COMMAND]",
          .description = "Lists the commands, or prints the help of one of them.",
          .sections = {{"example", "  starhist help rdf\n"}}};
}

ExitCode run_help(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_unless_help(help_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  if (parsed->positional.size() > 1) {
    problems.add("give one command, not " + std::to_string(parsed->positional.size()));
  }
  problems.throw_if_any("help");
  if (parsed->positional.empty()) {
    print_commands();
    return ExitCode::done;
  }
  return find_command(parsed->positional.front()).run({"--help"});
}

}  // namespace starhist::driver
