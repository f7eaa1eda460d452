#pragma once

#include <string>

namespace starhist::driver {

/// Version of starhist: "0.3.0".
std::string version();

}  // namespace starhist::driver
