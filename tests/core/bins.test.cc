#include "codelets/core/counting/bins.hh"

#include <limits>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

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

}  // namespace
}  // namespace starhist
