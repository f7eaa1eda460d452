#include "codelets/core/analysis/integrals/kirkwood_buff.hh"

#include <cmath>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/counting/bin_position.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using std::numbers::pi;
const UniformBins bins = make_bins(2.0, 200);

/// Sums of one frame in a volume of 1000, with enough pairs that counts are not
/// rounded.
analysis::KirkwoodBuffSums sums_of(const std::vector<double>& g) {
  analysis::KirkwoodBuffSums sums;
  sums.frames = 1.0;
  sums.volume = 1000.0;
  sums.pairs = 1e6;
  sums.pairs_over_volume = sums.pairs / sums.volume;
  for (std::uint32_t k = 0; k < g.size(); ++k) {
    sums.counts.push_back(g[k] * sums.pairs_over_volume *
                          analysis::shell_volume(bins, k));
  }
  return sums;
}

std::vector<double> hole(double radius, double outside) {
  std::vector<double> g(200, outside);
  for (std::uint32_t k = 0; k < 200; ++k) {
    g[k] = bins.edge(k + 1) < radius + 1e-9 ? 0.0 : outside;
  }
  return g;
}

TEST_CASE("g = 1 has integrals of 0") {
  const auto curves = analysis::kirkwood_buff(
      bins, sums_of(std::vector<double>(200, 1.0)), analysis::TailCorrection::none);
  for (std::uint32_t k = 0; k < 200; ++k) {
    CHECK(std::abs(curves.plain[k]) < 1e-12);
    CHECK(std::abs(curves.krueger[k]) < 1e-12);
    CHECK(std::abs(curves.krueger_vlugt[k]) < 1e-12);
  }
}

TEST_CASE("a hole in g has the weighted volume of the hole") {
  constexpr double a = 0.5;
  const auto curves = analysis::kirkwood_buff(bins, sums_of(hole(a, 1.0)),
                                              analysis::TailCorrection::none);
  for (const std::uint32_t k : {60U, 100U, 199U}) {
    const double r = bins.edge(k + 1);
    const double x = a / r;
    const double ball = 4.0 / 3.0 * pi * a * a * a;
    CHECK(curves.plain[k] == Approx(-ball));
    CHECK(curves.krueger[k] == Approx(-ball * (1.0 - x * x * x / 2.0)));
    CHECK(curves.krueger_vlugt[k] ==
          Approx(-ball * (1.0 - 23.0 / 16.0 * std::pow(x, 3) +
                          9.0 / 28.0 * std::pow(x, 4) + 27.0 / 64.0 * std::pow(x, 5))));
  }
}

TEST_CASE("the tail of a closed system of hard spheres is corrected exactly") {
  // The others have the volume V - v, so g is V / (V - v) there.
  constexpr double a = 1.0;
  const double ball = 4.0 / 3.0 * pi * a * a * a;
  const auto sums = sums_of(hole(a, 1000.0 / (1000.0 - ball)));
  const auto plain =
      analysis::kirkwood_buff(bins, sums, analysis::TailCorrection::none);
  const auto mended =
      analysis::kirkwood_buff(bins, sums, analysis::TailCorrection::ganguly);
  CHECK(std::abs(plain.plain[199] / -ball - 1.0) > 0.02);
  CHECK(mended.plain[199] == Approx(-ball).epsilon(1e-6));
  CHECK(mended.plain[150] == Approx(-ball).epsilon(1e-6));
}

TEST_CASE("the integrals of an ideal gas are 0 within their errors") {
  Random random(311);
  std::vector<analysis::KirkwoodBuffSums> groups;
  constexpr int group_count = 25;
  for (int g = 0; g < group_count; ++g) {
    analysis::KirkwoodBuffSums sums = sums_of(std::vector<double>(200, 0.0));
    for (int pair = 0; pair < 40000; ++pair) {  // uniform in a box of side 10
      double square = 0.0;
      for (int axis = 0; axis < 3; ++axis) {
        const double d = random.uniform(-5.0, 5.0);
        square += d * d;
      }
      const std::uint32_t bin = bin_at(bins, bin_position(bins, std::sqrt(square)));
      if (bin < bins.count) {
        sums.counts[bin] += 1.0;
      }
    }
    sums.pairs = 40000.0;
    sums.pairs_over_volume = 40.0;
    groups.push_back(sums);
  }
  const auto curves =
      analysis::jackknife_curves(groups, [](const analysis::KirkwoodBuffSums& sums) {
        const auto made =
            analysis::kirkwood_buff(bins, sums, analysis::TailCorrection::none);
        return std::vector{made.plain, made.krueger, made.krueger_vlugt};
      });
  for (const auto k : {49U, 99U, 199U}) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(curves.values[c][k]) < 5.0 * curves.errors[c][k]);
    }
  }
  CHECK(curves.errors[0][199] < 0.3);  // of a ball of volume 33
}

}  // namespace
}  // namespace starhist::testing
