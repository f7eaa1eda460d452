#include "driver/options/bin_options.hh"

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

std::string problem(const std::string& r_min, double r_max, const std::string& bins,
                    const std::string& width) {
  return error_text<InputError>([&] { driver::parse_bins(r_min, r_max, bins, width); });
}

TEST_CASE("without r_min bins start at 0") {
  const auto bins = driver::parse_bins("", 1.4, "280", "");
  CHECK(bins->count == 280);
  CHECK(bins->below == 0);
  CHECK(driver::parse_bins("0", 1.4, "", "0.005")->count == 280);
}

TEST_CASE("r_min is an integer number of bins from 0, given as number or width") {
  const auto counted = driver::parse_bins("0.4", 1.4, "200", "");
  CHECK(counted->count == 200);
  CHECK(counted->below == 80);
  const auto wide = driver::parse_bins("0.4", 1.4, "", "0.005");
  CHECK(wide->count == 200);
  CHECK(wide->below == 80);
  CHECK(wide->r_min() == Approx(0.4));
}

TEST_CASE("the message has the nearest valid r_min") {
  const std::string by_width = problem("0.403", 1.4, "", "0.005");
  CHECK(missing(by_width, {"--r-min 0.403", "0.005 wide", "use --r-min 0.405)"}) == "");
  const std::string by_count = problem("0.403", 1.4, "200", "");
  const std::string take = "use --r-min ";
  REQUIRE(missing(by_count, {"200 bins up to 1.4", take.c_str()}) == "");
  const std::string nearest = by_count.substr(by_count.find(take) + take.size());
  const auto bins =
      driver::parse_bins(nearest.substr(0, nearest.find(')')), 1.4, "200", "");
  CHECK(bins->count == 200);
  CHECK(bins->below == 81);
  CHECK(bins->r_min() == Approx(0.403).epsilon(0.01));
  // So near to r_max that less than a bin is left.
  CHECK(missing(problem("0.999", 1.0, "", "0.5"), {"use --r-min 0.5"}) == "");
}

TEST_CASE("invalid lengths are refused") {
  CHECK(missing(problem("-1", 1.4, "10", ""), {"--r-min -1", "0 or more"}) == "");
  CHECK(missing(problem("nan", 1.4, "10", ""), {"--r-min nan"}) == "");
  CHECK(missing(problem("near", 1.4, "10", ""), {"'near' is not a number"}) == "");
  CHECK(missing(problem("1.4", 1.4, "10", ""), {"not below --r-max 1.4"}) == "");
  CHECK(missing(problem("1.3999999999", 1.4, "1000", ""), {"use --r-min"}) == "");
  CHECK_FALSE(driver::parse_bins("0.1", {}, "10", "").has_value());
}

}  // namespace
}  // namespace starhist
