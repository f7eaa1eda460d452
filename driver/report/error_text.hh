#pragma once

#include <exception>
#include <string>

namespace starhist::driver {

/// What is said where memory is too short.
inline constexpr const char* out_of_memory =
    "out of memory (use fewer bins, or lower --memory)";

/// A sentence for the user: what the error says, or what to do where memory or threads
/// are too few.
std::string error_text(const std::exception& error);

}  // namespace starhist::driver
