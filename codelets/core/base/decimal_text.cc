#include "codelets/core/base/decimal_text.hh"

#include <array>
#include <charconv>

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

}  // namespace starhist
