#include "io/files/json_text.hh"

#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace starhist::io {

std::string json_string(const std::string& text) {
  return json_text(text, -1);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json json_number(double value) {
  constexpr double largest_exact = 0x1p53;
  const bool is_whole = std::trunc(value) == value && std::abs(value) <= largest_exact;
  if (is_whole && !(value == 0.0 && std::signbit(value))) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

}  // namespace starhist::io
