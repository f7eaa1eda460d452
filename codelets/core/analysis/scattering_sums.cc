#include "codelets/core/analysis/scattering_sums.hh"

#include <cmath>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/analysis/sine_transform.hh"

namespace starhist::analysis {
namespace {

/// Adds (n_k - P/V s_k) W(r_k) of block b and a pair to `curve`.
void add_curve(std::vector<double>& curve, const UniformBins& bins,
               const std::vector<BlockCounts>& blocks, std::size_t b, std::size_t pair,
               const PairSum& how) {
  const BlockCounts& block = blocks[b];
  const double cut = bins.edge(how.bin_count);
  for (std::uint32_t k = 0; k < how.bin_count; ++k) {
    double value = static_cast<double>(block.counts[pair][k]);
    if (how.shells != nullptr) {
      value -= block.pairs_over_volume[pair] * how.shells->of(b, k);
    }
    curve[k] += value * window_weight(how.window, bin_centre(bins, k), cut);
  }
}

}  // namespace

double window_weight(Window window, double r, double cut) {
  const double phase = std::numbers::pi * r / cut;
  switch (window) {
    case Window::none:
      return 1.0;
    case Window::lorch:
      return sinc(phase);
    case Window::hann:
      return 0.5 * (1.0 + std::cos(phase));
  }
  return 1.0;
}

void ScatteringSums::add(const ScatteringSums& other, double sign) {
  add_to(pairs, other.pairs, sign);
  add_to(particles, other.particles, sign);
  frames += sign * other.frames;
}

double ScatteringSums::all_particles() const {
  double all = 0.0;
  for (const double number : particles) {
    all += number;
  }
  return all;
}

std::vector<ScatteringSums> scattering_sums(const HistogramLayout& layout,
                                            const std::vector<BlockCounts>& blocks,
                                            const PairSum& how, const QGrid& grid,
                                            std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  const std::size_t pair_count = layout.pairs.size();
  std::vector<ScatteringSums> sums(groups.groups);
  for (ScatteringSums& group : sums) {
    group.particles.resize(layout.species.size());
  }
  std::vector<std::vector<double>> curves(groups.groups * pair_count,
                                          std::vector<double>(how.bin_count));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t g = groups.of(b);
    sums[g].frames += blocks[b].frames;
    for (std::size_t s = 0; s < layout.species.size(); ++s) {
      sums[g].particles[s] += static_cast<double>(blocks[b].particle_number[s]);
    }
    for (std::size_t p = 0; p < pair_count; ++p) {
      add_curve(curves[g * pair_count + p], layout.bins, blocks, b, p, how);
    }
  }
  auto transforms = sine_transforms(layout.bins, how.bin_count, grid, curves);
  for (std::size_t g = 0; g < groups.groups; ++g) {
    for (std::size_t p = 0; p < pair_count; ++p) {
      sums[g].pairs.push_back(std::move(transforms[g * pair_count + p]));
    }
  }
  return sums;
}

}  // namespace starhist::analysis
