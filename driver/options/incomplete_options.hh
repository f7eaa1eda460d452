#pragma once

#include <string>
#include <vector>

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// `arguments` without options that lack their value (`--r-max` at the end or before
/// another option, `--r-max=`) and without switches that have a value (`--quiet=3`).
/// Each of them is added to `problems`. Boost would stop at the first one, and would
/// accept `--force` in `-o --force` as a file name.
std::vector<std::string> without_incomplete_options(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    Problems& problems);

}  // namespace starhist::driver
