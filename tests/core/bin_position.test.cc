#include "codelets/core/counting/bin_position.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/special_numbers.hh"

namespace starhist {
namespace {

using testing::infinity;
using testing::not_a_number;

double just_below(double r) {
  return std::nextafter(r, -infinity);
}
double just_above(double r) {
  return std::nextafter(r, infinity);
}

std::uint32_t find(const UniformBins& bins, double r) {
  return bin_at(bins, bin_position(bins, r));
}

TEST_CASE("an edge lies 2^-30 of a bin below a whole number of widths") {
  CHECK(edge_shift == 0x1p-30);
  const UniformBins bins = make_bins(1.0, 4);
  CHECK(bins.width() == 0.25);
  CHECK(find(bins, 0.0) == 0);
  CHECK(find(bins, std::numeric_limits<double>::denorm_min()) == 0);
  for (std::uint32_t k = 1; k <= 4; ++k) {
    const double edge = 0.25 * k;
    CHECK(bins.edge(k) == edge);
    const double lower = 0.25 * (k - 0x1p-30);  // exact
    CHECK(find(bins, just_below(lower)) == k - 1);
    CHECK(find(bins, lower) == k);
    CHECK(find(bins, just_below(edge)) == k);
    CHECK(find(bins, edge) == k);
    CHECK(find(bins, just_above(edge)) == k);
  }
}

TEST_CASE("decimal multiples of the width are in the bin that starts there") {
  // 2.82 / 0.02 is 140.99999999999997 in double precision.
  CHECK(find(make_bins(5.0, 250), 2.82) == 141);
  CHECK(find(make_bins(0.5, 250), 0.282) == 141);
  for (const int tenths : {1, 2, 5, 7, 13}) {
    const double width = 0.001 * tenths;
    const UniformBins bins = make_bins(20'000 * width, 20'000);
    bool right = true;
    for (std::uint32_t k = 0; k <= 20'000; ++k) {
      // The decimal number, correctly rounded; and a root with rounding errors.
      const double r = static_cast<double>(k) * tenths / 1000.0;
      right = right && find(bins, r) == k && find(bins, r * (1.0 - 0x1p-49)) == k;
    }
    CHECK(right);
  }
}

TEST_CASE("distances of r_max and more are out of range") {
  for (const std::uint32_t count : {1U, 7U, 100'000U, max_bin_count}) {
    const UniformBins bins = make_bins(2.5, count);
    CHECK(find(bins, 2.5) == count);
    CHECK(find(bins, 2.6) == count);
    CHECK(find(bins, 1e300) == count);
    CHECK(find(bins, infinity) == count);
    CHECK(find(bins, not_a_number) == count);
    CHECK(find(bins, 2.4999999) < count);
  }
}

TEST_CASE("any width: an edge separates its neighbours, and bins are in order") {
  testing::Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double r_max = random.log_uniform(1e-9, 1e9);
    const auto count = static_cast<std::uint32_t>(random.log_uniform(1.0, 1e9));
    const UniformBins bins = make_bins(r_max, count);
    const auto k = static_cast<std::uint32_t>(1 + random.below(count));
    const double edge = bins.edge(k);
    // A few roundings away from the edge the bin is determined; at the edge it is one
    // of two; and a larger distance is never in an earlier bin.
    const double step = 4.0 * std::numeric_limits<double>::epsilon() * edge;
    const double lower = edge - edge_shift / bins.inverse_width;
    CHECK(find(bins, lower - step) == k - 1);
    CHECK(find(bins, lower + step) == k);
    CHECK(find(bins, edge + step) == k);
    CHECK(find(bins, just_below(edge)) <= find(bins, edge));
    CHECK(find(bins, edge) <= find(bins, just_above(edge)));
  }
}

}  // namespace
}  // namespace starhist
