#pragma once

#include <string>
#include <vector>

#include "driver/options/option_parser.hh"

namespace starhist::driver {

/// Notes as a problem that --output is missing, or that the file would replace one of
/// the `inputs`.
void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  Problems& problems);

}  // namespace starhist::driver
