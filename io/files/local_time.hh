#pragma once

#include <ctime>
#include <string>

namespace starhist::io {

/// Returns the local time as "2026-11-23 18:40:12 +0100". Default: now.
std::string local_time(std::time_t time = std::time(nullptr));

}  // namespace starhist::io
