#include "io/text/fixed_columns.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/short_decimal.hh"

namespace starhist::io {
namespace {

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_digit);
}

/// Removes a leading sign, because std::from_chars accepts "-" but not "+".
bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  return negative;
}

/// Returns the number at the beginning of the text, after blanks; empty if the text
/// does not begin with a number.
template <class Number>
std::optional<Number> leading(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const bool negative = take_sign(text);
  Number value{};
  const char* end = text.data() + text.size();
  if (text.empty() || text.front() == '-' ||
      std::from_chars(text.data(), end, value).ec != std::errc()) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

template <class Number>
std::optional<Number> number_after(std::string_view title, std::string_view key) {
  const std::size_t begin = title.find(key);
  return begin == std::string_view::npos
             ? std::nullopt
             : leading<Number>(title.substr(begin + key.size()));
}

}  // namespace

std::string_view text_in(std::string_view line, std::size_t column, std::size_t width) {
  std::string_view text = line.substr(std::min(column, line.size()), width);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);  // npos + 1 is 0
}

std::optional<double> decimal_in(std::string_view line, std::size_t column,
                                 std::size_t width) {
  std::string_view field = text_in(line, column, width);
  const bool negative = take_sign(field);
  if (const auto value = short_decimal(field)) {
    return negative ? -*value : *value;
  }
  const std::size_t point = field.find('.');
  double value = 0.0;
  if (point == std::string_view::npos || field.size() == 1 ||
      !all_digits(field.substr(0, point)) || !all_digits(field.substr(point + 1)) ||
      std::from_chars(field.data(), field.data() + field.size(), value).ec !=
          std::errc()) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

std::int64_t whole_number_in(std::string_view line, std::size_t column,
                             std::size_t width) {
  return leading<std::int64_t>(text_in(line, column, width)).value_or(0);
}

void refuse_position(const TextFile& file, std::string_view line) {
  throw InputError("line " + std::to_string(file.position().line - 1) +
                   " has no position ('" + std::string(line.substr(0, 60)) + "')");
}

std::optional<double> real_after(std::string_view title, std::string_view key) {
  const auto value = number_after<double>(title, key);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> whole_number_after(std::string_view title,
                                               std::string_view key) {
  return number_after<std::int64_t>(title, key);
}

}  // namespace starhist::io
