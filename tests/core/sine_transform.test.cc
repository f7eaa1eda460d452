#include "codelets/core/analysis/sine_transform.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist::testing {
namespace {

/// Mean of binned_sinc over all positions of bins around r, compared with sin(q r)/(q
/// r).
double bias(double q, double r, double width) {
  constexpr int places = 2000;
  double mean = 0.0;
  for (int i = 0; i < places; ++i) {
    mean += analysis::binned_sinc(q, r + width * ((i + 0.5) / places - 0.5), width) /
            places;
  }
  return mean - analysis::sinc(q * r);
}

TEST_CASE("the weight of a bin is unbiased to the fourth order in q w") {
  for (const double r : {5.3, 17.9, 64.1}) {
    for (const double qw : {0.1, 0.2, 0.5, 1.0}) {
      INFO("r " << r << ", q w " << qw);
      // Relative to 1 / (q r), the amplitude of sin(q r) / (q r).
      CHECK(std::abs(bias(qw, r, 1.0)) * qw * r < 0.002 * std::pow(qw, 4));
    }
  }
  CHECK(std::abs(bias(2.0, 5.3, 1.0)) * 2.0 * 5.3 < 0.01);  // the promise of `smooth`
}

TEST_CASE("the weight is 1 at q = 0 and stays finite in the first bin") {
  CHECK(analysis::binned_sinc(1e-9, 3.0, 0.1) == Approx(1.0));
  CHECK(analysis::binned_sinc(1e-9, 0.05, 0.1) == Approx(1.0));
  // Terms of second order at small q: -(q r)^2 / 6, with the same r for the whole bin.
  CHECK((1.0 - analysis::binned_sinc(1e-2, 2.0, 0.01)) / (1e-4 * 4.0 / 6.0) ==
        Approx(1.0).epsilon(1e-4));
  CHECK(std::isfinite(analysis::binned_sinc(10.0, 0.05, 0.1)));
}

TEST_CASE("a smooth distribution is transformed to the fourth order in q w") {
  // exp(-(r-c)^2/2s^2) / r over r: its transform is a Gaussian times sin(q c)/q.
  constexpr double centre = 20.3;
  constexpr double sigma = 1.0;
  const auto error = [&](std::uint32_t count, double q) {
    const UniformBins bins = make_bins(40.0, count);
    std::vector<double> curve(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      constexpr int parts = 50;
      for (int i = 0; i < parts; ++i) {
        const double r = bins.edge(k) + bins.width() * (i + 0.5) / parts;
        const double x = (r - centre) / sigma;
        curve[k] += r * std::exp(-0.5 * x * x) * bins.width() / parts;
      }
    }
    const double sum =
        analysis::sine_transforms(bins, count, {q, 1.0, 1}, {curve})[0][0];
    const double norm = std::sqrt(2.0 * std::acos(-1.0)) * sigma / q;
    return sum / norm - std::exp(-0.5 * q * q * sigma * sigma) * std::sin(q * centre);
  };
  for (const double q : {0.5, 1.0, 2.0}) {
    CHECK(std::abs(error(400, q)) < 1e-6);
    CHECK(std::abs(error(80, q)) < 5e-5);  // q w up to 1, where centres are off by 4 %
  }
}

TEST_CASE("joint transforms of curves and q equal single ones") {
  const UniformBins bins = make_bins(2.0, 57);
  std::vector<std::vector<double>> curves(3, std::vector<double>(57));
  for (std::size_t k = 0; k < 57; ++k) {
    curves[0][k] = 1.0;
    curves[1][k] = double(k);
    curves[2][k] = k == 50 ? 7.0 : 0.0;
  }
  const analysis::QGrid grid = analysis::make_q_grid(0.5, 10.0, 0.5);
  REQUIRE(grid.count == 20);
  const auto together = analysis::sine_transforms(bins, 50, grid, curves);
  CHECK(together[2] == std::vector<double>(20, 0.0));  // its bin is beyond the 50
  for (std::uint32_t i = 0; i < grid.count; ++i) {
    double sum = 0.0;
    for (std::uint32_t k = 0; k < 50; ++k) {
      sum +=
          k * analysis::binned_sinc(grid.at(i), (k + 0.5) * bins.width(), bins.width());
    }
    CHECK(together[1][i] == Approx(sum).epsilon(1e-12).margin(1e-9));
    CHECK(analysis::sine_transforms(bins, 50, {grid.at(i), 1.0, 1}, curves)[0][0] ==
          Approx(together[0][i]));
  }
}

TEST_CASE("the values of q reach the last one in spite of rounding") {
  const analysis::QGrid grid = analysis::make_q_grid(0.1, 10.0, 0.1);
  CHECK(grid.count == 100);
  CHECK(grid.last() == Approx(10.0));
  CHECK(analysis::make_q_grid(2.0, 2.0, 0.1).count == 1);
  CHECK(analysis::make_q_grid(1.0, 2.05, 0.1).last() == Approx(2.0));
}

TEST_CASE("invalid q are refused") {
  const auto refusal = [](double first, double last, double step) {
    return error_text<InputError>([&] { analysis::make_q_grid(first, last, step); });
  };
  CHECK(missing(refusal(0.0, 1.0, 0.1), {"smallest q 0", "above 0"}) == "");
  CHECK(missing(refusal(-1.0, 1.0, 0.1), {"smallest q -1"}) == "");
  CHECK(missing(refusal(1.0, std::nan(""), 0.1), {"largest q nan"}) == "");
  CHECK(missing(refusal(1.0, 2.0, 0.0), {"step of q 0"}) == "");
  CHECK(missing(refusal(2.0, 1.0, 0.1), {"largest q 1", "below", "2"}) == "");
  CHECK(missing(refusal(1.0, 1e9, 0.1), {"too many"}) == "");
}

TEST_CASE("limits of q follow from the bin width") {
  const analysis::BinningLimits limits = analysis::binning_limits(make_bins(2.0, 400));
  CHECK(limits.rigid == Approx(40.0));
  CHECK(limits.smooth == Approx(400.0));
  CHECK(limits.absolute == Approx(628.3185));
}

}  // namespace
}  // namespace starhist::testing
