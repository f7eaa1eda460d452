#pragma once

#include <string>

#include "driver/commands/command.hh"

namespace starhist::driver {

/// A command that the Python script `script` implements. The script gets all arguments,
/// --help too, and its exit code is that of the program.
Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary);

}  // namespace starhist::driver
