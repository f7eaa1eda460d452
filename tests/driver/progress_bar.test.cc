#include "driver/report/progress_bar.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("a progress line has share, rate and time left") {
  CHECK(driver::progress_line(250, 1000, 10.0) ==
        "[#######.......................]  25.0 %  2.50e+01 pairs/s  0:30 left");
  CHECK(driver::progress_line(1000, 1000, 10.0) ==
        "[##############################] 100.0 %  1.00e+02 pairs/s  0:00 left");
}

TEST_CASE("before the first pair there is no time left to tell") {
  const std::string nothing =
      "[..............................]   0.0 %  0.00e+00 pairs/s  -:-- left";
  CHECK(driver::progress_line(0, 1000, 0.0) == nothing);
  CHECK(driver::progress_line(0, 1000, 5.0) == nothing);
  CHECK(driver::progress_line(0, 0, 5.0) == nothing);
}

TEST_CASE("hours are told as such") {
  CHECK(driver::progress_line(1, 7201, 1.0).find("2:00:00 left") != std::string::npos);
  CHECK(driver::progress_line(1, 3662, 1.0).find("1:01:01 left") != std::string::npos);
}

TEST_CASE("a total that was underestimated or unknown gives no nonsense") {
  CHECK(driver::progress_line(2000, 1000, 1.0).find("100.0 %") != std::string::npos);
  CHECK(driver::progress_line(5, 0, 1.0).find("-:-- left") != std::string::npos);
  CHECK(driver::progress_line(1, 1ULL << 60U, 1e6).size() < 80);
}

}  // namespace
}  // namespace starhist
