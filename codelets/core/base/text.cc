#include "codelets/core/base/text.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace starhist {

std::string number_text(double value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

double shortest_decimal(float value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  double decimal = value;
  std::from_chars(buffer.data(), end, decimal);
  return decimal;
}

double decimal_time(double time) {
  const auto single = static_cast<float>(time);
  return static_cast<double>(single) == time ? shortest_decimal(single) : time;
}

std::string time_text(double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.15g", decimal_time(value));
  return buffer.data();
}

std::string unit_suffix(const std::string& unit) {
  return unit.empty() ? "" : " " + unit;
}

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t place = digits.size(); place > 3; place -= 3) {
    digits.insert(place - 3, 1, ' ');
  }
  return digits;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
  });
  return lower;
}

std::string join(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : separator) + word;
  }
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string counted(unsigned long long number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace starhist
