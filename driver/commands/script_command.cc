#include "driver/commands/script_command.hh"

#include "driver/commands/python_script.hh"

namespace starhist::driver {

Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary) {
  const auto run = [script](const std::vector<std::string>& arguments) -> ExitCode {
    become_script(script, arguments);
  };
  return {{.command = name, .summary = summary}, run, script};
}

}  // namespace starhist::driver
