#pragma once

#include <string>

#include "driver/commands/command.hh"

namespace starhist::driver {

/// The command `name` that is the Python script `script`: it takes all arguments,
/// --help too, and its exit code is that of the command.
Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary);

}  // namespace starhist::driver
