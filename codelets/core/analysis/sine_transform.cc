#include "codelets/core/analysis/sine_transform.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace starhist::analysis {
namespace {

/// Numbers of wave numbers and bins whose weights are computed together: 16 KiB, which
/// stay in the L1 cache for all curves.
constexpr std::uint32_t lanes = 8;
constexpr std::uint32_t tile = 256;
using Weights = std::array<std::array<double, lanes>, tile>;

/// (cos x - sin(x)/x) / x^2; evaluated by its series near 0, where digits of the
/// difference cancel.
double second_term(double x) {
  if (std::abs(x) < 1e-2) {
    const double square = x * x;
    return -1.0 / 3.0 + square / 30.0 - square * square / 840.0;
  }
  return (std::cos(x) - std::sin(x) / x) / (x * x);
}

void add_weighted(std::array<double, lanes>& sums, const Weights& weights,
                  const double* values, std::uint32_t size) {
  std::array<double, lanes> sum = sums;
  for (std::uint32_t k = 0; k < size; ++k) {
    for (std::uint32_t j = 0; j < lanes; ++j) {
      sum[j] += values[k] * weights[k][j];
    }
  }
  sums = sum;
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
  std::vector<std::array<double, lanes>> lane_sums(curves.size());
  Weights weights{};
  for (std::uint32_t start = 0; start < grid.count; start += lanes) {
    const std::uint32_t used = std::min(lanes, grid.count - start);
    std::fill(lane_sums.begin(), lane_sums.end(), std::array<double, lanes>{});
    for (std::uint32_t first = 0; first < bin_count; first += tile) {
      const std::uint32_t size = std::min(tile, bin_count - first);
      for (std::uint32_t k = 0; k < size; ++k) {
        const double centre = 0.5 * (bins.edge(first + k) + bins.edge(first + k + 1));
        for (std::uint32_t j = 0; j < used; ++j) {
          weights[k][j] = binned_sinc(grid.at(start + j), centre, bins.width());
        }
      }
      for (std::size_t c = 0; c < curves.size(); ++c) {
        add_weighted(lane_sums[c], weights, curves[c].data() + first, size);
      }
    }
    for (std::size_t c = 0; c < curves.size(); ++c) {
      std::copy_n(lane_sums[c].begin(), used, sums[c].begin() + start);
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

}  // namespace starhist::analysis
