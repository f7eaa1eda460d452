#include "codelets/core/radial_distribution.hh"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "codelets/core/error.hh"
#include "codelets/core/shell_volumes.hh"
#include "codelets/core/text.hh"

namespace starhist {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr std::array all_normalizations{Normalization::pairs_over_volume,
                                        Normalization::mean_volume,
                                        Normalization::per_frame};

/// sum V * sum 1/V == frames^2 if and only if V is constant (Cauchy-Schwarz); the
/// relative excess is the relative variance of V.
bool has_constant_volume(const BlockCounts& block) {
  constexpr double negligible_variance = 1e-9;
  const double frames = block.frames;
  return block.volume * block.inverse_volume <=
         frames * frames * (1.0 + negligible_variance);
}

/// True if the sums are those of frames with equal particle numbers. Unequal ones never
/// give such sums for a like pair, as N(N-1)/2 is strictly convex; for an unlike pair
/// they can, which the like pairs of its species tell where they were counted.
bool has_constant_numbers(const HistogramLayout& layout, const BlockCounts& block,
                          const SpeciesPair& wanted) {
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair pair = layout.pairs[p];
    const bool related =
        pair.like() && (pair.first == wanted.first || pair.first == wanted.second);
    if (!related && !(pair == wanted)) {
      continue;
    }
    const std::uint64_t first = block.particle_number[pair.first.index()];
    const std::uint64_t second = block.particle_number[pair.second.index()];
    const std::uint64_t per_frame =
        pair_count(pair, first / block.frames, second / block.frames);
    if (first % block.frames != 0 || second % block.frames != 0 ||
        block.pairs[p] != block.frames * per_frame) {
      return false;
    }
  }
  return true;
}

void check_equal_frames(const HistogramLayout& layout, const BlockCounts& block,
                        const SpeciesPair& pair) {
  const bool constant_volume = has_constant_volume(block);
  if (constant_volume && has_constant_numbers(layout, block, pair)) {
    return;
  }
  throw InputError("g(r) of " + pair_name(pair, layout.species) +
                   " cannot be normalised per frame: " +
                   (constant_volume ? "particle numbers" : "volumes") +
                   " differ within block " + std::to_string(block.index.get()) +
                   " of " + std::to_string(block.frames) +
                   " frames (count with --block 1, or choose pairs-over-volume or "
                   "mean-volume)");
}

/// What the shell volumes of each block are multiplied by, to give the pairs that are
/// expected there, for pairs-over-volume and mean-volume.
std::vector<double> shell_weights(const std::vector<BlockCounts>& blocks, PairId pair,
                                  Normalization normalization) {
  double frames = 0.0;
  double volume = 0.0;
  double pairs = 0.0;
  for (const BlockCounts& block : blocks) {
    frames += block.frames;
    volume += block.volume;
    pairs += static_cast<double>(block.pairs[pair.index()]);
  }
  std::vector<double> weights(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    weights[b] = normalization == Normalization::mean_volume
                     ? pairs / volume * blocks[b].frames
                     : blocks[b].pairs_over_volume[pair.index()];
  }
  return weights;
}

double ratio_of_sums(const std::vector<BlockCounts>& blocks, PairId pair,
                     std::uint32_t k, const ShellVolumes& shells,
                     const std::vector<double>& weights) {
  double counts = 0.0;
  double expected = 0.0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    counts += static_cast<double>(blocks[b].counts[pair.index()][k]);
    expected += weights[b] * shells.of(b, k);
  }
  return counts / expected;
}

/// The mean over frames. Blocks are of equal frames.
double mean_of_ratios(const std::vector<BlockCounts>& blocks, PairId pair,
                      std::uint32_t k, const ShellVolumes& shells) {
  double frames = 0.0;
  double sum = 0.0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const BlockCounts& block = blocks[b];
    const double shell = shells.of(b, k);
    // A frame without pairs has no g(r); it must not pull the mean to zero.
    if (block.pairs[pair.index()] > 0 && shell > 0.0) {
      frames += block.frames;
      sum += block.frames * static_cast<double>(block.counts[pair.index()][k]) /
             (block.pairs_over_volume[pair.index()] * shell);
    }
  }
  return sum / frames;
}

}  // namespace

void check_volumes(const std::vector<BlockCounts>& blocks) {
  if (blocks.empty()) {
    throw InputError("g(r) needs at least one block of frames, but there is none");
  }
  for (const BlockCounts& block : blocks) {
    if (!(block.volume > 0.0) || !(block.inverse_volume > 0.0)) {
      throw InputError(
          "g(r) needs a volume, but the boxes of block " +
          std::to_string(block.index.get()) +
          " are not periodic along all three axes (counts and coordination "
          "numbers are available)");
    }
  }
}

std::string to_string(Normalization normalization) {
  switch (normalization) {
    case Normalization::pairs_over_volume:
      return "pairs-over-volume";
    case Normalization::mean_volume:
      return "mean-volume";
    case Normalization::per_frame:
      return "per-frame";
  }
  throw InternalError("unknown normalisation");
}

Normalization parse_normalization(const std::string& name) {
  std::vector<std::string> names;
  for (const Normalization normalization : all_normalizations) {
    names.push_back(to_string(normalization));
    if (names.back() == name) {
      return normalization;
    }
  }
  throw InputError("normalisation '" + name + "' is unknown (choose one of " +
                   join(names, ", ") + ")");
}

double bin_centre(const UniformBins& bins, std::uint32_t k) {
  return (2.0 * k + 1.0) * bins.r_max / (2.0 * bins.count);
}

double shell_volume(const UniformBins& bins, std::uint32_t k) {
  const double inner = bins.edge(k);
  const double outer = bins.edge(k + 1);
  // The difference of cubes, factored: nothing cancels for thin shells far out.
  return 4.0 / 3.0 * std::numbers::pi * bins.width() *
         (outer * outer + outer * inner + inner * inner);
}

std::uint32_t normalizable_bins(const UniformBins& bins, double inscribed_radius) {
  constexpr double tolerance = 1e-6;
  const double reach = inscribed_radius * (1.0 + tolerance);
  std::uint32_t k = bins.count;
  while (k > 0 && bins.edge(k) > reach) {
    --k;
  }
  return k;
}

std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        const ShellVolumes& shells, PairId pair,
                                        Normalization normalization) {
  check_volumes(blocks);
  std::vector<double> g(layout.bins.count, not_a_number);
  const bool any_pairs = std::any_of(
      blocks.begin(), blocks.end(),
      [pair](const BlockCounts& block) { return block.pairs[pair.index()] > 0; });
  if (!any_pairs) {
    return g;
  }
  if (normalization == Normalization::per_frame) {
    for (const BlockCounts& block : blocks) {
      check_equal_frames(layout, block, layout.pairs[pair.index()]);
    }
    for (std::uint32_t k = 0; k < shells.defined(); ++k) {
      g[k] = mean_of_ratios(blocks, pair, k, shells);
    }
    return g;
  }
  const auto weights = shell_weights(blocks, pair, normalization);
  for (std::uint32_t k = 0; k < shells.defined(); ++k) {
    g[k] = ratio_of_sums(blocks, pair, k, shells, weights);
  }
  return g;
}

std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        PairId pair, Normalization normalization) {
  check_volumes(blocks);
  return radial_distribution(layout, blocks, ShellVolumes(layout.bins, blocks), pair,
                             normalization);
}

std::vector<Coordination> coordination_numbers(const HistogramLayout& layout,
                                               const BlockCounts& total, PairId pair) {
  const SpeciesPair species = layout.pairs[pair.index()];
  // An unordered like pair is a neighbour of both of its particles.
  const double neighbours_per_pair = species.like() ? 2.0 : 1.0;
  std::vector<Coordination> directions{{species.first, species.second, {}}};
  if (!species.like()) {
    directions.push_back({species.second, species.first, {}});
  }
  for (Coordination& direction : directions) {
    const auto centres =
        static_cast<double>(total.particle_number[direction.centre.index()]);
    std::uint64_t within = 0;
    for (const std::uint64_t count : total.counts[pair.index()]) {
      within += count;
      direction.value.push_back(
          centres > 0.0 ? neighbours_per_pair * static_cast<double>(within) / centres
                        : not_a_number);
    }
  }
  return directions;
}

}  // namespace starhist
