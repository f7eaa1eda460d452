#include "codelets/core/counting/bins.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/special_numbers.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::infinity;
using testing::missing;
using testing::not_a_number;

TEST_CASE("the edges go from 0 to r_max in equal steps") {
  const auto edges = bin_edges(make_bins(1.5, 3));
  CHECK(edges == std::vector<double>{0.0, 0.5, 1.0, 1.5});
}

TEST_CASE("bins from r_min on have the edges of bins from zero") {
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

TEST_CASE("default-constructed bins are empty") {
  const UniformBins bins;
  CHECK(bins.r_max == 0.0);
  CHECK(bins.inverse_width == 0.0);
  CHECK(bins.count_from_zero() == 0);
}

TEST_CASE("invalid bins are refused, with the value in the message") {
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
  CHECK(missing(error_text<InputError>([] { make_bins(1e155, 10); }),
                {"r_max = 1e+155", "too large"}) == "");
  CHECK(make_bins(1.0, max_bin_count).count == max_bin_count);
}

TEST_CASE("explicit edges are kept, and equal ones are the same") {
  const UniformBins bins = make_bins_between({0.1, 0.2, 0.5});
  CHECK(bins.count == 2);
  CHECK(bins.below == 1);
  CHECK(bins.r_max == 0.5);
  CHECK(bins.r_min() == 0.1);
  CHECK(!bins.uniform());
  CHECK(bin_edges(bins) == std::vector<double>{0.1, 0.2, 0.5});
  CHECK(bin_edges(bins.from_zero()) == std::vector<double>{0.0, 0.1, 0.2, 0.5});
  CHECK(bins.middle(0, 2) == 0.5 * (0.1 + 0.5));
  CHECK(bins == make_bins_between({0.1, 0.2, 0.5}));
  CHECK(!(bins == make_bins_between({0.1, 0.3, 0.5})));
  CHECK(!(make_bins_between({0.0, 0.25, 0.5}) == make_bins(0.5, 2)));
  CHECK_THROWS_AS(bins.width(), InternalError);
}

TEST_CASE("an edge at 0 is not lowered, others are by 2^-40 of r_max") {
  const UniformBins bins = make_bins_between({0.0, 0.5, 2.0});
  CHECK(bin_between(bins, 0.0) == 0);
  const double lowered = 0.5 - 0x1p-40 * 2.0;
  CHECK(bin_between(bins, lowered * lowered) == 1);
  CHECK(bin_between(bins, std::nextafter(lowered * lowered, 0.0)) == 0);
}

TEST_CASE("logarithmic edges have equal ratios and exact ends") {
  const std::vector<double> edges = logarithmic_edges(0.1, 1.6, 4);
  CHECK(edges.front() == 0.1);
  CHECK(edges.back() == 1.6);
  CHECK(std::abs(edges[2] - 0.4) < 1e-15);
  CHECK(missing(error_text<InputError>([] { logarithmic_edges(0.0, 1.0, 4); }),
                {"from 0 to 1 do not exist", "positive and below the last"}) == "");
  CHECK(missing(error_text<InputError>([] { logarithmic_edges(0.1, 1.0, 1001); }),
                {"1001 logarithmic bins", "1 to 1000"}) == "");
}

TEST_CASE("invalid edges are refused with the value and a remedy") {
  const auto refused = [](const std::vector<double>& edges,
                          std::initializer_list<const char*> parts) {
    return missing(error_text<InputError>([&] { make_bins_between(edges); }), parts);
  };
  CHECK(refused({0.3}, {"one edge makes no bin", "at least two"}) == "");
  CHECK(refused({}, {"at least two"}) == "");
  CHECK(refused({0.1, 0.3, 0.2}, {"edge 0.2 follows 0.3", "sort them"}) == "");
  CHECK(refused({0.1, 0.1}, {"edge 0.1 follows 0.1", "without repetitions"}) == "");
  CHECK(refused({-0.1, 0.1}, {"edge -0.1 is not a distance"}) == "");
  CHECK(refused({0.0, not_a_number}, {"edge nan is not a distance"}) == "");
  CHECK(refused({0.0, infinity}, {"edge inf is not a distance"}) == "");
  CHECK(refused({0.0, 1e200}, {"edge 1e+200 is not a distance"}) == "");
  CHECK(refused({0.1, 0.1 + 1e-11, 1.0}, {"too close to 0.1", "omit"}) == "");
  CHECK(refused({1e-12, 1.0}, {"edge 1e-12 is too close to 0"}) == "");
  std::vector<double> many(1002);
  for (std::size_t k = 0; k < many.size(); ++k) {
    many[k] = static_cast<double>(k);
  }
  CHECK(refused(many, {"1002 edges are more than the 1001"}) == "");
}

}  // namespace
}  // namespace starhist
