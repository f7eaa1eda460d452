#include "codelets/core/sine_transform.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace starhist {
namespace {

/// Wave numbers that are worked on together, so that each curve is read once for all
/// of them.
constexpr std::uint32_t lanes = 8;

/// (cos x - sin(x)/x) / x^2; -1/3 at 0, where the difference cancels.
double second_term(double x) {
  if (std::abs(x) < 1e-2) {
    const double square = x * x;
    return -1.0 / 3.0 + square / 30.0 - square * square / 840.0;
  }
  return (std::cos(x) - std::sin(x) / x) / (x * x);
}

}  // namespace

double sinc(double x) {
  return std::abs(x) < 1e-8 ? 1.0 : std::sin(x) / x;
}

double binned_sinc(double q, double centre, double width) {
  const double half_phase = 0.5 * q * width;
  const double x = q * centre;
  return sinc(x) / sinc(half_phase) + half_phase * half_phase / 3.0 * second_term(x);
}

std::vector<std::vector<double>> sine_transforms(
    const UniformBins& bins, std::uint32_t bin_count, const QGrid& grid,
    const std::vector<std::vector<double>>& curves) {
  std::vector<std::vector<double>> sums(curves.size(), std::vector<double>(grid.count));
  std::vector<std::array<double, lanes>> weights(bin_count);
  for (std::uint32_t start = 0; start < grid.count; start += lanes) {
    const std::uint32_t used = std::min(lanes, grid.count - start);
    for (std::uint32_t k = 0; k < bin_count; ++k) {
      const double centre = 0.5 * (bins.edge(k) + bins.edge(k + 1));
      for (std::uint32_t j = 0; j < used; ++j) {
        weights[k][j] = binned_sinc(grid.at(start + j), centre, bins.width());
      }
    }
    for (std::size_t c = 0; c < curves.size(); ++c) {
      std::array<double, lanes> sum{};
      for (std::uint32_t k = 0; k < bin_count; ++k) {
        const double value = curves[c][k];
        for (std::uint32_t j = 0; j < lanes; ++j) {
          sum[j] += value * weights[k][j];
        }
      }
      std::copy_n(sum.begin(), used, sums[c].begin() + start);
    }
  }
  return sums;
}

BinningLimits binning_limits(const UniformBins& bins) {
  const double width = bins.width();
  // binned_sinc is off by 0.6 % of 1/(q r) at q w = 2, for r > 5 w (test
  // sine_transform).
  return {0.2 / width, 2.0 / width, std::numbers::pi / width};
}

}  // namespace starhist
