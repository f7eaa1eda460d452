#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace starhist::io {

/// A text in JSON, with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_string(const std::string& text);

/// A JSON document: members in their order, indented by two blanks per level, or in one
/// line for `indent` -1. Doubles read back as the same; what is not finite is null.
/// Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = 2);

/// A number that is written without a fraction where it is whole: 2, not 2.0.
nlohmann::ordered_json json_number(double value);

}  // namespace starhist::io
