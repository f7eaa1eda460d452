#pragma once

#include <string>
#include <vector>

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// `arguments` without the options that lack their value (`--r-max` at the end or
/// before another option, `--r-max=`) and the switches that have one (`--quiet=3`);
/// these go to `problems`. Boost would stop at the first of them, and take `--force`
/// for the name of a file in `-o --force`.
std::vector<std::string> without_incomplete_options(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    Problems& problems);

}  // namespace starhist::driver
