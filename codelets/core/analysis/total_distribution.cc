#include "codelets/core/analysis/total_distribution.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/base/error.hh"

namespace starhist::analysis {
namespace {

TotalSums sums_of_block(const std::vector<BlockCounts>& blocks, std::size_t b,
                        const ShellVolumes& shells, std::uint32_t bin_count) {
  const BlockCounts& block = blocks[b];
  TotalSums sums;
  for (const auto& counts : block.counts) {
    sums.pairs.emplace_back(counts.begin(), counts.begin() + bin_count);
  }
  for (std::uint32_t k = 0; k < bin_count; ++k) {
    sums.uniform.push_back(block.inverse_volume * shells.of(b, k));
  }
  for (const std::uint64_t number : block.particle_number) {
    sums.particles.push_back(static_cast<double>(number));
  }
  sums.inverse_volume = block.inverse_volume;
  sums.frames = block.frames;
  return sums;
}

/// Volume of the whole shell of each bin over the mean part of it in the boxes.
std::vector<double> scales_to_whole(const std::vector<TotalSums>& groups,
                                    const UniformBins& bins, std::uint32_t whole) {
  std::vector<double> scales(groups.front().uniform.size(), 1.0);
  for (std::uint32_t k = whole; k < scales.size(); ++k) {
    double inverse_volume = 0.0;
    double uniform = 0.0;
    for (const TotalSums& group : groups) {
      inverse_volume += group.inverse_volume;
      uniform += group.uniform[k];
    }
    // A part that rounds to 0, at a corner of the cell, has no g.
    scales[k] = uniform > 0.0 ? inverse_volume * shell_volume(bins, k) / uniform : 0.0;
  }
  return scales;
}

}  // namespace

void TotalSums::add(const TotalSums& other, double sign) {
  add_to(pairs, other.pairs, sign);
  add_to(uniform, other.uniform, sign);
  add_to(particles, other.particles, sign);
  inverse_volume += sign * other.inverse_volume;
  frames += sign * other.frames;
}

double TotalSums::all_particles() const {
  double all = 0.0;
  for (const double number : particles) {
    all += number;
  }
  return all;
}

double TotalSums::density() const {
  return all_particles() * inverse_volume / (frames * frames);
}

std::vector<TotalSums> total_sums(const std::vector<BlockCounts>& blocks,
                                  const ShellVolumes& shells, std::uint32_t bin_count,
                                  std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  std::vector<TotalSums> sums(groups.groups);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    sums[groups.of(b)].add(sums_of_block(blocks, b, shells, bin_count));
  }
  return sums;
}

std::vector<TotalSums> transformed(const std::vector<TotalSums>& sums,
                                   const UniformBins& bins, std::uint32_t whole,
                                   const QGrid& grid) {
  const auto bin_count = static_cast<std::uint32_t>(sums.front().uniform.size());
  const std::vector<double> scales = scales_to_whole(sums, bins, whole);
  std::vector<std::vector<double>> curves;
  for (const TotalSums& group : sums) {
    curves.insert(curves.end(), group.pairs.begin(), group.pairs.end());
    curves.push_back(group.uniform);
  }
  for (std::vector<double>& curve : curves) {
    std::transform(curve.begin(), curve.end(), scales.begin(), curve.begin(),
                   std::multiplies<>());
  }
  auto transforms = sine_transforms(bins, bin_count, grid, curves);
  std::vector<TotalSums> made = sums;
  std::size_t c = 0;
  for (TotalSums& group : made) {
    for (std::vector<double>& pair : group.pairs) {
      pair = std::move(transforms[c++]);
    }
    group.uniform = std::move(transforms[c++]);
  }
  return made;
}

std::vector<double> distinct_sum(const HistogramLayout& layout, const TotalSums& sums,
                                 const ScatteringFactors& factors) {
  const double all = sums.all_particles();
  std::vector<double> values(sums.uniform.size());
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair pair = layout.pairs[p];
    const std::size_t a = pair.first.index();
    const std::size_t b = pair.second.index();
    // Unordered pairs in a uniform distribution, times the volume.
    const double uniform = sums.particles[a] * sums.particles[b] /
                           (neighbours_per_pair(pair) * sums.frames * sums.frames);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += 2.0 * factors[a][i] * factors[b][i] / all *
                   (sums.pairs[p][i] - uniform * sums.uniform[i]);
    }
  }
  return values;
}

std::vector<double> sine_transform_back(const std::vector<double>& i_of_q,
                                        const QGrid& grid, Window window,
                                        const std::vector<double>& r) {
  std::vector<double> weighted(grid.count);
  for (std::uint32_t i = 0; i < grid.count; ++i) {
    const double simpson = i == 0 || i + 1 == grid.count ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    const double q = grid.at(i);
    weighted[i] = 2.0 / std::numbers::pi * simpson * grid.step / 3.0 * q * i_of_q[i] *
                  window_weight(window, q, grid.last());
  }
  std::vector<double> d;
  for (const double at : r) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < grid.count; ++i) {
      sum += weighted[i] * std::sin(grid.at(i) * at);
    }
    d.push_back(sum);
  }
  return d;
}

double total_function(TotalForm form, double r, double d, double squared_mean,
                      double density) {
  const double sphere = 4.0 * std::numbers::pi * r * density;
  switch (form) {
    case TotalForm::g:
      return 1.0 + d / (sphere * squared_mean);
    case TotalForm::G:
      return d / sphere;
    case TotalForm::GPDF:
      return d / squared_mean;
    case TotalForm::D:
      return d;
    case TotalForm::T:
      return d + sphere * squared_mean;
    case TotalForm::RDF:
      return r * (d / squared_mean + sphere);
  }
  throw InternalError("unknown form of a total distribution function");
}

}  // namespace starhist::analysis
