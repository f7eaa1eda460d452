#include "codelets/core/base/decimal_text.hh"

#include <limits>

#include "codelets/core/base/text.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

TEST_CASE("single_text restores decimals that were stored in single precision") {
  CHECK(single_text(static_cast<double>(0.1F)) == "0.1");
  CHECK(single_text(static_cast<double>(2.1F)) == "2.1");
  CHECK(single_text(static_cast<double>(1.008F)) == "1.008");
  CHECK(single_text(0.2000000019158636) == "0.2");
  CHECK(single_text(0.1 + 0.2) == "0.3");
}

TEST_CASE("single_text keeps other numbers") {
  CHECK(single_text(0.0) == "0");
  CHECK(single_text(123456789.0) == "123456789");
  CHECK(single_text(1234567.125) == "1234567.125");
  CHECK(single_text(123456.789) == "123456.789");
}

TEST_CASE("rounded_text has six digits") {
  CHECK(rounded_text(2.598076211353316) == "2.59808");
  CHECK(rounded_text(1.5) == "1.5");
}

TEST_CASE("text_with_error has two digits of the error") {
  CHECK(text_with_error(4.44273, 0.00810327) == "4.4427 ± 0.0081");
  CHECK(text_with_error(33.31, 6.4) == "33.3 ± 6.4");
  CHECK(text_with_error(1234.5, 120.0) == "1234 ± 120");
  CHECK(text_with_error(5.41414, std::numeric_limits<double>::quiet_NaN()) ==
        "5.41414");
  CHECK(text_with_error(4.0, 0.0) == "4");
}

TEST_CASE("a counted noun has a plural except for one") {
  CHECK(counted(1, "frame") == "1 frame");
  CHECK(counted(0, "frame") == "0 frames");
  CHECK(counted(1234, "block") == "1 234 blocks");
}

}  // namespace
}  // namespace starhist::testing
