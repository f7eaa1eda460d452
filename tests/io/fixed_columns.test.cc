#include "io/text/fixed_columns.hh"

#include <charconv>
#include <optional>
#include <random>
#include <string>

#include "io/text/text_fields.hh"
#include "tests/support/catch.hh"

namespace starhist::io {
namespace {

std::optional<double> decimal(const std::string& text) {
  return decimal_in(text, 0, text.size());
}

}  // namespace

TEST_CASE("decimals in columns and fields are rounded as by std::from_chars") {
  std::mt19937_64 random(5);
  for (int k = 0; k < 200'000; ++k) {
    std::string text(2 + random() % 19, '0');  // up to 19 digits, past the exact ones
    for (char& c : text) {
      c = static_cast<char>('0' + random() % 10);
    }
    text[random() % text.size()] = '.';
    double expected = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    const auto seen = decimal(text);
    if (seen != expected || decimal("-" + text) != -expected ||
        real_field(text, "x") != expected || real_field("-" + text, "x") != -expected) {
      FAIL(text);
    }
  }
}

TEST_CASE("text in columns that is not a decimal number with a point is refused") {
  for (const char* text : {"", ".", "-", "+.", "12", "1e5", "12.3x5", "12.3 5", "1.2.3",
                           "--1.5", "+-1.5", "1.-5", "0x1.8", "nan", "inf"}) {
    INFO(text);
    CHECK(decimal(text) == std::nullopt);
  }
  CHECK(decimal(" -.5 ") == -0.5);
  CHECK(decimal("+12.") == 12.0);
}

}  // namespace starhist::io
