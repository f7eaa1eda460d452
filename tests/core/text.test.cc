#include "codelets/core/base/text.hh"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

TEST_CASE("numbers are as short as can be and read back") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e300) == "1e+300");
  CHECK(number_text(-2.0) == "-2");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  testing::Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const double value = random.log_uniform(1e-300, 1e300);
    CHECK(std::stod(number_text(value)) == value);
  }
}

TEST_CASE("a float as the shortest decimal that reads back") {
  CHECK(shortest_decimal(0.1F) == 0.1);
  CHECK(shortest_decimal(10000.123F) == 10000.123);
  CHECK(shortest_decimal(-3e8F) == -3e8);
  CHECK(shortest_decimal(0.0F) == 0.0);
  CHECK(std::isnan(shortest_decimal(std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isinf(shortest_decimal(-std::numeric_limits<float>::infinity())));
  testing::Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto value = static_cast<float>(random.log_uniform(1e-30, 1e30));
    CHECK(static_cast<float>(shortest_decimal(value)) == value);
  }
}

TEST_CASE("digits in groups of three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(1234567) == "1 234 567");
  CHECK(grouped(18446744073709551615U) == "18 446 744 073 709 551 615");
}

TEST_CASE("times are printed with the digits that they had in decimals") {
  CHECK(decimal_time(double{0.1F}) == 0.1);
  CHECK(decimal_time(0.1) == 0.1);
  CHECK(time_text(double{0.1F}) == "0.1");
  CHECK(time_text(0.1 + 0.2) == "0.3");
  CHECK(time_text(22000.0) == "22000");
}

TEST_CASE("words are joined with the separator between them") {
  CHECK(join({}, ", ").empty());
  CHECK(join({"H"}, ", ") == "H");
  CHECK(join({"H", "O", "Na"}, ", ") == "H, O, Na");
}

TEST_CASE("text is split at each separator, into empty parts too") {
  CHECK(split("0,,2", ',') == std::vector<std::string>{"0", "", "2"});
  CHECK(split("a:b,", ':') == std::vector<std::string>{"a", "b,"});
  CHECK(split("a:", ':') == std::vector<std::string>{"a", ""});
  CHECK(split("", ',') == std::vector<std::string>{""});
}

}  // namespace
}  // namespace starhist
