#include <cmath>
#include <complex>
#include <numbers>

#include "codelets/core/analysis/structure_factor.hh"
#include "codelets/core/counting/bin_position.hh"
#include "tests/support/catch.hh"

// S(q) of known systems: hard spheres and a crystal, from counts of an infinite system.

namespace starhist::testing {
namespace {

using std::numbers::pi;

/// One frame of `number` particles of one species at `density`.
BlockCounts endless_frame(const HistogramLayout& layout, double number,
                          double density) {
  BlockCounts block = empty_block(layout, BlockIndex(0));
  block.frames = 1;
  block.volume = number / density;
  block.inverse_volume = 1.0 / block.volume;
  block.particle_number = {static_cast<std::uint64_t>(number)};
  block.pairs = {
      pair_count(layout.pairs[0], block.particle_number[0], block.particle_number[0])};
  block.pairs_over_volume = {double(block.pairs[0]) / block.volume};
  return block;
}

HistogramLayout one_species(double r_max, std::uint32_t bins) {
  return {{"A"}, {{SpeciesId(0), SpeciesId(0)}}, make_bins(r_max, bins), "", ""};
}

/// Baxter's Q(t) of hard spheres of diameter 1 (Percus-Yevick), t < 1: Aust. J. Phys.
/// 21, 563 (1968).
struct HardSpheres {
  double density;
  double a;
  double b;

  explicit HardSpheres(double packing) : density(6.0 * packing / pi) {
    const double square = (1.0 - packing) * (1.0 - packing);
    a = (1.0 + 2.0 * packing) / square;
    b = -1.5 * packing / square;
  }

  double q_function(double t) const { return 0.5 * a * (t * t - 1.0) + b * (t - 1.0); }

  /// 1 / |1 - 2 pi rho int_0^1 Q(t) exp(iqt) dt|^2, by Simpson's rule.
  double structure_factor(double q) const {
    constexpr int steps = 2000;
    std::complex<double> integral = 0.0;
    for (int i = 0; i <= steps; ++i) {
      const double t = double(i) / steps;
      const double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      integral += weight / (3.0 * steps) * q_function(t) *
                  std::exp(std::complex<double>(0.0, q * t));
    }
    return 1.0 / std::norm(1.0 - 2.0 * pi * density * integral);
  }

  /// r (g - 1) at multiples of 1 / per_unit up to r_max, from Perram's recursion (Mol.
  /// Phys. 30, 1505 (1975)): r h = 2 pi rho int_0^1 Q(t) (r - t) h(|r - t|) dt for r >
  /// 1, and h = -1 below. The trapezoidal rule has an error of second order.
  std::vector<double> excess(double r_max, int per_unit) const {
    const double step = 1.0 / per_unit;
    std::vector<double> h(static_cast<std::size_t>(r_max * per_unit) + 1);
    const double front = 2.0 * pi * density * step;
    for (std::size_t i = 0; i < h.size(); ++i) {
      if (i < static_cast<std::size_t>(per_unit)) {
        h[i] = -double(i) * step;
        continue;
      }
      double sum = 0.0;
      for (int j = 1; j < per_unit; ++j) {
        const std::size_t at = i - static_cast<std::size_t>(j);
        // h jumps at contact, from -1 to the stored value.
        const bool contact = at == static_cast<std::size_t>(per_unit);
        sum += q_function(j * step) * (contact ? 0.5 * (h[at] - 1.0) : h[at]);
      }
      // Q(1) = 0 ends the sum; the term of t = 0 holds the unknown value.
      h[i] = front * sum / (1.0 - 0.5 * front * q_function(0.0));
    }
    return h;
  }
};

TEST_CASE("hard spheres: g(r) of Percus and Yevick gives their S(q)") {
  const HardSpheres spheres(0.3);
  constexpr double r_max = 12.0;
  constexpr int per_unit = 400;
  const auto h = spheres.excess(r_max, per_unit);
  // The contact value is (1 + eta/2) / (1 - eta)^2.
  CHECK(1.0 + h[per_unit] == Approx(1.15 / 0.49).epsilon(0.005));
  for (const std::uint32_t bin_count : {2400U, 600U}) {
    const HistogramLayout layout = one_species(r_max, bin_count);
    BlockCounts block = endless_frame(layout, 1e8, spheres.density);
    const int parts = static_cast<int>(r_max * per_unit) / static_cast<int>(bin_count);
    for (std::uint32_t k = 0; k < bin_count; ++k) {
      double mean = 0.0;  // of r g in the bin, by the trapezoidal rule
      for (int i = 0; i < parts; ++i) {
        const std::size_t at =
            k * static_cast<std::size_t>(parts) + static_cast<std::size_t>(i);
        const double r = (double(at) + 0.5) / per_unit;
        const bool inside = at < static_cast<std::size_t>(per_unit);
        mean += (inside ? 0.0 : r * (r + 0.5 * (h[at] + h[at + 1]))) / parts;
      }
      const double value =
          4.0 * pi * mean * layout.bins.width() * block.pairs_over_volume[0];
      block.counts[0][k] = static_cast<std::uint64_t>(std::llround(value));
    }
    const analysis::ShellVolumes shells(layout, {block});
    const analysis::QGrid grid = analysis::make_q_grid(0.5, 20.0, 0.5);
    const auto sums = analysis::scattering_sums(
        layout, {block}, {&shells, bin_count, analysis::Window::none}, grid, 1);
    const auto s = analysis::ashcroft_langreth(layout, sums[0], PairId(0));
    for (std::uint32_t i = 0; i < grid.count; ++i) {
      INFO("q " << grid.at(i) << ", bins " << bin_count);
      CHECK(std::abs(s[i] - spheres.structure_factor(grid.at(i))) < 0.001);
    }
  }
}

TEST_CASE("a face-centred cubic crystal has its Bragg peaks, of the right area") {
  constexpr double r_max = 20.0;  // in lattice constants
  constexpr std::uint32_t bin_count = 20000;
  const HistogramLayout layout = one_species(r_max, bin_count);
  constexpr double number = 1e6;
  BlockCounts block = endless_frame(layout, number, 4.0);
  // Neighbours at half-integer positions (i, j, k)/2 with i + j + k even.
  for (int i = -40; i <= 40; ++i) {
    for (int j = -40; j <= 40; ++j) {
      for (int k = -40; k <= 40; ++k) {
        const double r = 0.5 * std::sqrt(double(i * i + j * j + k * k));
        if ((i + j + k) % 2 == 0 && r > 0.0 && r < r_max) {
          block.counts[0][bin_at(layout.bins, bin_position(layout.bins, r))] +=
              500000;  // pairs: half of N neighbours
        }
      }
    }
  }
  const analysis::ShellVolumes shells(layout, {block});
  const analysis::QGrid grid = analysis::make_q_grid(5.0, 30.0, 0.02);
  const auto sums = analysis::scattering_sums(
      layout, {block}, {&shells, bin_count, analysis::Window::hann}, grid, 1);
  const auto s = analysis::ashcroft_langreth(layout, sums[0], PairId(0));
  const auto at = [&](double q) {
    return static_cast<std::size_t>(std::lround((q - grid.first) / grid.step));
  };
  struct Peak {
    int squares;  // h^2 + k^2 + l^2
    int planes;
  };
  // All odd or all even; 3 and 4 are 111 and 200.
  for (const Peak peak : {Peak{3, 8}, {4, 6}, {8, 12}, {11, 24}, {12, 8}, {16, 6}}) {
    const double q = 2.0 * pi * std::sqrt(double(peak.squares));
    INFO("h^2 + k^2 + l^2 = " << peak.squares);
    double area = 0.0;
    double first_moment = 0.0;
    for (std::size_t i = at(q - 0.6); i <= at(q + 0.6); ++i) {
      area += s[i] * grid.step;
      first_moment += s[i] * grid.at(static_cast<std::uint32_t>(i)) * grid.step;
    }
    // S is (2 pi)^3 rho times a delta function at each reciprocal vector, spread over
    // the sphere of radius q. The cut makes them 0.3 wide: 311 and 222 just touch.
    CHECK(area == Approx(2.0 * pi * pi * 4.0 * peak.planes / (q * q)).epsilon(0.03));
    CHECK(first_moment / area == Approx(q).margin(0.02));
  }
  for (const int forbidden : {1, 2, 5, 6, 9, 10, 14}) {  // 100, 110, 210, ...
    INFO("h^2 + k^2 + l^2 = " << forbidden);
    const double q = 2.0 * pi * std::sqrt(double(forbidden));
    if (q > grid.first) {
      CHECK(std::abs(s[at(q)]) < 0.1);
    }
  }
}

}  // namespace
}  // namespace starhist::testing
