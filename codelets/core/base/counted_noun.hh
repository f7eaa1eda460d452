#pragma once

#include <string>

namespace starhist {

/// A number and its noun for messages: "1 frame", "51 frames", "1 234 blocks".
std::string counted(unsigned long long number, const std::string& noun);

}  // namespace starhist
