#pragma once

#include <string>

namespace starhist::io {

/// A JSON string with its quotes; control characters, '"' and '\' escaped.
std::string json_string(const std::string& text);

}  // namespace starhist::io
