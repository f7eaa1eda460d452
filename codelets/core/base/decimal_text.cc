#include "codelets/core/base/decimal_text.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "codelets/core/base/text.hh"

namespace starhist {

std::string decimal_text(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, 15)
                       .ptr;
  const std::string exact = number_text(value);
  const std::string rounded(buffer.data(), end);
  // At least three characters shorter: at most one number in 100 is so by chance.
  constexpr std::size_t least_gain = 3;
  return rounded.size() + least_gain <= exact.size() ? rounded : exact;
}

std::string single_text(double value) {
  constexpr std::ptrdiff_t most_digits = 12;  // of a decimal that was meant
  const std::string text = decimal_text(value);
  const std::string mantissa = text.substr(0, text.find('e'));
  const auto digits = std::count_if(mantissa.begin(), mantissa.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
  return digits <= most_digits
             ? text
             : number_text(shortest_decimal(static_cast<float>(value)));
}

std::string rounded_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string text_with_error(double value, double error) {
  if (!std::isfinite(error) || error <= 0.0) {
    return rounded_text(value);
  }
  constexpr int most_decimals = 12;
  const int decimals =
      std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, most_decimals);
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value << " ± " << error;
  return text.str();
}

}  // namespace starhist
