#include "codelets/core/analysis/radial_distribution.hh"

#include <algorithm>
#include <array>
#include <limits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::analysis {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr std::array all_normalizations{Normalization::pairs_over_volume,
                                        Normalization::mean_volume,
                                        Normalization::per_frame};

}  // namespace

void DistributionTerms::add(const DistributionTerms& other, double sign) {
  above += sign * other.above;
  below += sign * other.below;
  pairs += sign * other.pairs;
  volume += sign * other.volume;
}

DistributionTerms distribution_terms(const std::vector<BlockCounts>& blocks,
                                     std::size_t b, const ShellVolumes& shells,
                                     PairId pair, const BinRange& range,
                                     Normalization normalization) {
  const BlockCounts& block = blocks[b];
  const std::size_t p = pair.index();
  std::uint64_t counted = 0;
  double shell = 0.0;
  for (std::uint32_t k = range.first; k < range.last; ++k) {
    counted += block.counts[p][k];
    shell += shells.of(b, k);
  }
  const auto count = static_cast<double>(counted);
  const auto pairs = static_cast<double>(block.pairs[p]);
  switch (normalization) {
    case Normalization::pairs_over_volume:
      return {count, block.pairs_over_volume[p] * shell, 0.0, 0.0};
    case Normalization::mean_volume:
      return {count, block.frames * shell, pairs, block.volume};
    case Normalization::per_frame:
      // A frame without pairs has no g(r); it must not lower the mean.
      return block.pairs[p] > 0 && shell > 0.0
                 ? DistributionTerms{block.frames * count /
                                         (block.pairs_over_volume[p] * shell),
                                     static_cast<double>(block.frames), 0.0, 0.0}
                 : DistributionTerms{};
  }
  return {};
}

double distribution_value(const DistributionTerms& sum, Normalization normalization) {
  return normalization == Normalization::mean_volume
             ? sum.above * sum.volume / (sum.pairs * sum.below)
             : sum.above / sum.below;
}

// sum V * sum 1/V == frames^2 if and only if V is constant (Cauchy-Schwarz); the
// relative excess is the relative variance of V.
bool has_constant_volume(const BlockCounts& block) {
  constexpr double negligible_variance = 1e-9;
  const double frames = block.frames;
  return block.volume * block.inverse_volume <=
         frames * frames * (1.0 + negligible_variance);
}

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
        block.pairs[p] + block.excluded[p] != block.frames * per_frame) {
      return false;
    }
  }
  return true;
}

bool counts_like_pair(const HistogramLayout& layout, SpeciesId species) {
  return std::any_of(layout.pairs.begin(), layout.pairs.end(),
                     [species](const SpeciesPair& pair) {
                       return pair.like() && pair.first == species;
                     });
}

bool would_show_changing_numbers(const HistogramLayout& layout,
                                 const std::vector<BlockCounts>& blocks,
                                 const SpeciesPair& wanted) {
  const bool of_one_frame =
      std::all_of(blocks.begin(), blocks.end(),
                  [](const BlockCounts& block) { return block.frames <= 1; });
  if (wanted.like() || of_one_frame) {
    return true;
  }
  const auto shows = [&](SpeciesId species) {
    const std::size_t s = species.index();
    if (counts_like_pair(layout, species)) {
      return true;
    }
    if (!layout.selections.empty() && !layout.selections[s].empty()) {
      return false;
    }
    const BlockCounts& first = blocks.front();
    return std::all_of(blocks.begin(), blocks.end(), [&](const BlockCounts& block) {
      return block.particle_number[s] * first.frames ==
             first.particle_number[s] * block.frames;
    });
  };
  return shows(wanted.first) && shows(wanted.second);
}

namespace {

void check_block(const HistogramLayout& layout, const BlockCounts& block,
                 const SpeciesPair& pair) {
  const bool constant_volume = has_constant_volume(block);
  if (constant_volume && has_constant_numbers(layout, block, pair)) {
    return;
  }
  throw InputError("g(r) of " + pair_name(pair, layout.species) +
                   " cannot be normalized per frame: " +
                   (constant_volume ? "particle numbers" : "volumes") +
                   " differ within block " + std::to_string(block.index.get()) +
                   " of " + std::to_string(block.frames) +
                   " frames (count with --block 1, or choose pairs-over-volume or "
                   "mean-volume)");
}

}  // namespace

std::string to_string(Normalization normalization) {
  switch (normalization) {
    case Normalization::pairs_over_volume:
      return "pairs-over-volume";
    case Normalization::mean_volume:
      return "mean-volume";
    case Normalization::per_frame:
      return "per-frame";
  }
  throw InternalError("unknown normalization");
}

Normalization parse_normalization(const std::string& name) {
  std::vector<std::string> names;
  for (const Normalization normalization : all_normalizations) {
    names.push_back(to_string(normalization));
    if (names.back() == name) {
      return normalization;
    }
  }
  throw InputError("normalization '" + name + "' is unknown (choose one of " +
                   join(names, ", ") + ")");
}

double bin_centre(const UniformBins& bins, std::uint32_t k) {
  return bins.middle(k, k + 1);
}

void check_equal_frames(const HistogramLayout& layout,
                        const std::vector<BlockCounts>& blocks, PairId pair) {
  const SpeciesPair& wanted = layout.pairs[pair.index()];
  for (const BlockCounts& block : blocks) {
    check_block(layout, block, wanted);
  }
  if (!would_show_changing_numbers(layout, blocks, wanted)) {
    throw InputError("g(r) of " + pair_name(wanted, layout.species) +
                     " cannot be normalized per frame: particle numbers may differ "
                     "within blocks (count the like pairs of both species as well, or "
                     "with --block 1, or choose pairs-over-volume or mean-volume)");
  }
}

std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        const ShellVolumes& shells, PairId pair,
                                        Normalization normalization,
                                        const std::vector<BinRange>& ranges) {
  std::vector<double> g(ranges.size(), not_a_number);
  const bool any_pairs = std::any_of(
      blocks.begin(), blocks.end(),
      [pair](const BlockCounts& block) { return block.pairs[pair.index()] > 0; });
  if (!any_pairs) {
    return g;
  }
  if (normalization == Normalization::per_frame) {
    check_equal_frames(layout, blocks, pair);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].last > shells.defined()) {
      continue;
    }
    DistributionTerms all;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      all.add(distribution_terms(blocks, b, shells, pair, ranges[i], normalization));
    }
    g[i] = distribution_value(all, normalization);
  }
  return g;
}

std::vector<double> block_radial_distribution(const HistogramLayout& layout,
                                              const std::vector<BlockCounts>& blocks,
                                              std::size_t b, const ShellVolumes& shells,
                                              PairId pair, Normalization normalization,
                                              const std::vector<BinRange>& ranges) {
  if (normalization == Normalization::per_frame) {
    check_block(layout, blocks[b], layout.pairs[pair.index()]);
  }
  std::vector<double> g(ranges.size(), not_a_number);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].last <= shells.defined() && blocks[b].pairs[pair.index()] > 0) {
      g[i] = distribution_value(
          distribution_terms(blocks, b, shells, pair, ranges[i], normalization),
          normalization);
    }
  }
  return g;
}

std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        const ShellVolumes& shells, PairId pair,
                                        Normalization normalization) {
  return radial_distribution(layout, blocks, shells, pair, normalization,
                             bin_ranges(layout.bins, {}));
}

std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        PairId pair, Normalization normalization) {
  return radial_distribution(layout, blocks, ShellVolumes(layout, blocks), pair,
                             normalization);
}

std::vector<Coordination> coordination_directions(const SpeciesPair& pair) {
  std::vector<Coordination> directions{{pair.first, pair.second, {}}};
  if (!pair.like()) {
    directions.push_back({pair.second, pair.first, {}});
  }
  return directions;
}

double neighbours_per_pair(const SpeciesPair& pair) {
  return pair.like() ? 2.0 : 1.0;
}

std::uint32_t coordination_bins(const HistogramLayout& layout,
                                const BlockCounts& total) {
  return normalizable_bins(layout.bins, total.inscribed_radius);
}

std::vector<Coordination> coordination_numbers(const HistogramLayout& layout,
                                               const BlockCounts& total, PairId pair) {
  const std::uint32_t defined = coordination_bins(layout, total);
  const SpeciesPair species = layout.pairs[pair.index()];
  std::vector<Coordination> directions = coordination_directions(species);
  for (Coordination& direction : directions) {
    const auto centres =
        static_cast<double>(total.particle_number[direction.centre.index()]);
    std::uint64_t within = total.underflow[pair.index()];
    for (std::uint32_t k = 0; k < defined; ++k) {
      within += total.counts[pair.index()][k];
      direction.value.push_back(centres > 0.0
                                    ? neighbours_per_pair(species) *
                                          static_cast<double>(within) / centres
                                    : not_a_number);
    }
    direction.value.resize(layout.bins.count, not_a_number);
  }
  return directions;
}

}  // namespace starhist::analysis
