#pragma once

#include <exception>
#include <string>

namespace starhist::driver {

/// Message when memory is exhausted.
inline constexpr const char* out_of_memory =
    "out of memory (use fewer bins, or lower --memory)";

/// Message for the user: the error's text, or a remedy if memory or threads are
/// exhausted.
std::string error_text(const std::exception& error);

}  // namespace starhist::driver
