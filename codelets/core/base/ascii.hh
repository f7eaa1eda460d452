#pragma once

namespace starhist {

/// True for A to Z and a to z, whatever the locale.
constexpr bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// True for 0 to 9.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace starhist
