#pragma once

#include <string>

#include "driver/commands/command.hh"

namespace starhist::driver {

/// A command that the Python script `script` implements. The script receives all
/// arguments, including --help, and determines the exit code.
Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary);

}  // namespace starhist::driver
