#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace starhist::io {

/// Returns a text as a JSON string, with its quotes. Bytes that are not UTF-8 become
/// U+FFFD.
std::string json_string(const std::string& text);

/// Returns a JSON document with its members in order, indented by `indent` blanks per
/// level, or on one line for `indent` -1. Doubles survive a round trip; non-finite
/// numbers become null. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = 2);

/// Returns a number that is written without a fraction if it is integral: 2, not 2.0.
nlohmann::ordered_json json_number(double value);

}  // namespace starhist::io
