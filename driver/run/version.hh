#pragma once

#include <string>

namespace starhist::driver {

/// "0.1.0"
std::string version();

}  // namespace starhist::driver
