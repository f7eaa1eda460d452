#pragma once

#include <ctime>
#include <string>

namespace starhist::io {

/// A moment in local time, written as strftime() does it: "2026-11-23 14:03:11" by
/// default. "" if it cannot be written.
std::string local_time(std::time_t time, const char* format = "%Y-%m-%d %H:%M:%S");

}  // namespace starhist::io
