#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace starhist {

/// Shortest text that reads back as the same double: "0.1", "1e+300", "nan".
std::string number_text(double value);

/// The shortest decimal that reads back as the same float, as a double: 0.1 for 0.1F.
/// NaN and infinities are unchanged.
double shortest_decimal(float value);

/// shortest_decimal() of a time that is a float, as single precision stores it; others
/// are unchanged.
double decimal_time(double time);

/// Text of a time or interval for messages: 15 digits of its decimal_time(), without
/// rounding errors of double precision.
std::string time_text(double value);

/// A unit as it follows a number: " nm" for "nm", "" for "".
std::string unit_suffix(const std::string& unit);

/// Decimal digits in groups of three for messages: "1 234 567".
std::string grouped(unsigned long long value);

/// The text with its ASCII letters in lower case; other bytes of UTF-8 are unchanged.
std::string lower_case(std::string_view text);

/// The words with the separator between them: "H, O" from {"H", "O"} and ", ".
std::string join(const std::vector<std::string>& words, const std::string& separator);

/// The parts of the text between separators: {"0", "", "2"} from "0,,2" and ','. At
/// least one.
std::vector<std::string> split(const std::string& text, char separator);

/// A number and its noun for messages: "1 frame", "51 frames", "1 234 blocks".
std::string counted(unsigned long long number, const std::string& noun);

/// True for A to Z and a to z, whatever the locale.
constexpr bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// True for 0 to 9.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace starhist
