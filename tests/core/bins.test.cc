#include "codelets/core/counting/bins.hh"

#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double just_below(double r) {
  return std::nextafter(r, -infinity);
}
double just_above(double r) {
  return std::nextafter(r, infinity);
}

TEST_CASE("bins hold their lower edge and not their upper one") {
  const UniformBins bins = make_bins(1.0, 4);
  CHECK(bins.width() == 0.25);
  CHECK(bins.find(0.0) == 0);
  CHECK(bins.find(std::numeric_limits<double>::denorm_min()) == 0);
  for (std::uint32_t k = 1; k <= 4; ++k) {
    const double edge = 0.25 * k;
    CHECK(bins.edge(k) == edge);
    CHECK(bins.find(just_below(edge)) == k - 1);
    CHECK(bins.find(edge) == k);
    CHECK(bins.find(just_above(edge)) == std::min(k, 3U) + (k == 4 ? 1 : 0));
  }
}

TEST_CASE("what is not below r_max is out of range") {
  for (const std::uint32_t count : {1U, 7U, 100'000U, max_bin_count}) {
    const UniformBins bins = make_bins(2.5, count);
    CHECK(bins.find(2.5) == count);
    CHECK(bins.find(2.6) == count);
    CHECK(bins.find(1e300) == count);
    CHECK(bins.find(infinity) == count);
    CHECK(bins.find(not_a_number) == count);
    CHECK(bins.find(2.4999999) < count);
  }
}

TEST_CASE(
    "any width: an edge and its neighbours fall on the two sides of it, in order") {
  testing::Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double r_max = random.log_uniform(1e-9, 1e9);
    const auto count = static_cast<std::uint32_t>(random.log_uniform(1.0, 1e9));
    const UniformBins bins = make_bins(r_max, count);
    const auto k = static_cast<std::uint32_t>(1 + random.below(count));
    const double edge = bins.edge(k);
    // A few roundings away from the edge there is no choice; at the edge it is one of
    // two; and a larger distance is never in an earlier bin.
    const double step = 4.0 * std::numeric_limits<double>::epsilon() * edge;
    CHECK(bins.find(edge - step) == k - 1);
    CHECK(bins.find(edge + step) == k);
    CHECK(bins.find(just_below(edge)) <= bins.find(edge));
    CHECK(bins.find(edge) <= bins.find(just_above(edge)));
  }
}

TEST_CASE("the edges go from 0 to r_max in equal steps") {
  const auto edges = bin_edges(make_bins(1.5, 3));
  CHECK(edges == std::vector<double>{0.0, 0.5, 1.0, 1.5});
}

TEST_CASE("bins from r_min on have the edges of those from zero") {
  const UniformBins bins = make_bins(1.4, 200, 80);
  const UniformBins all = make_bins(1.4, 280);
  CHECK(bins.r_min() == all.edge(80));
  CHECK(bins.width() == all.width());
  CHECK(bins.from_zero().inverse_width == all.inverse_width);
  CHECK(bins.from_zero().count == 280);
  for (std::uint32_t k = 0; k <= bins.count; ++k) {
    CHECK(bins.edge(k) == all.edge(80 + k));
  }
  const std::vector<double> edges = bin_edges(bins);
  CHECK(edges.size() == 201);
  CHECK(edges.front() == all.edge(80));
  CHECK(edges[1] == all.edge(81));
  CHECK(edges.back() == 1.4);
  CHECK(make_bins(1.0, max_bin_count - 1, 1).count_from_zero() == max_bin_count);
  CHECK(missing(error_text<InputError>([] { make_bins(1.0, max_bin_count, 1); }),
                {"2147483646 bins, and 1 below"}) == "");
}

TEST_CASE("bins that nobody made are none") {
  const UniformBins bins;
  CHECK(bins.r_max == 0.0);
  CHECK(bins.inverse_width == 0.0);
  CHECK(bins.count_from_zero() == 0);
}

TEST_CASE("bins that are none are refused, and the message holds the value") {
  const auto no_length = [](double r_max, const char* value) {
    return missing(error_text<InputError>([&] { make_bins(r_max, 10); }),
                   {value, "is not a length (it must be finite and positive)"});
  };
  CHECK(no_length(0.0, "r_max = 0 ") == "");
  CHECK(no_length(-1.5, "r_max = -1.5 ") == "");
  CHECK(no_length(infinity, "r_max = inf ") == "");
  CHECK(no_length(-infinity, "r_max = -inf ") == "");
  CHECK(no_length(not_a_number, "r_max = nan ") == "");
  CHECK(missing(error_text<InputError>([] { make_bins(1.0, 0); }), {"bin count = 0"}) ==
        "");
  CHECK(missing(error_text<InputError>([] { make_bins(1.0, 1ULL << 31U); }),
                {"2147483648", "2147483646"}) == "");
  CHECK(missing(error_text<InputError>([] { make_bins(1.0, 1ULL << 32U); }),
                {"4294967296"}) == "");
  CHECK(missing(error_text<InputError>([] { make_bins(1e-305, 100'000); }),
                {"1e-305", "100000"}) == "");
  CHECK(make_bins(1.0, max_bin_count).count == max_bin_count);
}

}  // namespace
}  // namespace starhist
