#pragma once

#include <string>

namespace starhist {

/// "0.1.0"
std::string version();

}  // namespace starhist
