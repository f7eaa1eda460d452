#include "driver/report/progress_bar.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("a progress line has share, rate and time left") {
  CHECK(driver::progress_line(250, 1000, 10.0, 80) ==
        "[#######.......................]  25.0 %  2.50e+01 pairs/s  0:30 left");
  CHECK(driver::progress_line(1000, 1000, 10.0, 80) ==
        "[##############################] 100.0 %  1.00e+02 pairs/s  0:00 left");
}

TEST_CASE("the number of ranks is shown if there are several, and room for it") {
  CHECK(driver::progress_line(250, 1000, 10.0, 100, 4) ==
        "[#######.......................]  25.0 %  2.50e+01 pairs/s on 4 ranks  0:30 "
        "left");
  CHECK(driver::progress_line(250, 1000, 10.0, 50, 4).find("ranks") ==
        std::string::npos);
}

TEST_CASE("before the first pair no remaining time is shown") {
  const std::string nothing =
      "[..............................]   0.0 %  0.00e+00 pairs/s  -:-- left";
  CHECK(driver::progress_line(0, 1000, 0.0, 80) == nothing);
  CHECK(driver::progress_line(0, 1000, 5.0, 80) == nothing);
  CHECK(driver::progress_line(0, 0, 5.0, 80) == nothing);
}

TEST_CASE("hours are shown as hours") {
  CHECK(driver::progress_line(1, 7201, 1.0, 80).find("2:00:00 left") !=
        std::string::npos);
  CHECK(driver::progress_line(1, 3662, 1.0, 80).find("1:01:01 left") !=
        std::string::npos);
}

TEST_CASE("an underestimated or unknown total gives plausible output") {
  CHECK(driver::progress_line(2000, 1000, 1.0, 80).find("100.0 %") !=
        std::string::npos);
  CHECK(driver::progress_line(5, 0, 1.0, 80).find("-:-- left") != std::string::npos);
  CHECK(driver::progress_line(1, 1ULL << 60U, 1e6, 80).size() < 80);
}

TEST_CASE("a progress line leaves the last column of every terminal free") {
  for (std::size_t columns = 1; columns <= 300; ++columns) {
    INFO(columns);
    for (const double seconds : {0.0, 10.0, 1e7}) {
      for (const std::uint64_t done : {0ULL, 1ULL, 250ULL, 1000ULL, 2000ULL}) {
        CHECK(driver::progress_line(done, 1000, seconds, columns).size() < columns);
      }
    }
  }
}

TEST_CASE("a narrow terminal has a shorter bar, then fewer numbers") {
  const auto line = [](std::size_t columns) {
    return driver::progress_line(250, 1000, 10.0, columns);
  };
  CHECK(line(200) == line(80));
  CHECK(line(60) == "[#####...............]  25.0 %  2.50e+01 pairs/s  0:30 left");
  CHECK(line(40) == "[####..............]  25.0 %  0:30 left");
  CHECK(line(24) == " 25.0 %  0:30 left");
  CHECK(line(10) == " 25.0 %");
}

}  // namespace
}  // namespace starhist
