#include "codelets/core/analysis/local_density.hh"

#include <algorithm>
#include <limits>
#include <optional>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"

namespace starhist::analysis {
namespace {

/// Shells of boxes with and without a volume.
class Shells {
 public:
  Shells(const HistogramLayout& layout, const std::vector<BlockCounts>& blocks)
      : layout_(layout), defined_(layout.bins.count) {
    const bool open = !blocks.empty() && std::all_of(blocks.begin(), blocks.end(),
                                                     [](const BlockCounts& block) {
                                                       return !(block.volume > 0.0);
                                                     });
    if (!open) {
      periodic_.emplace(layout, blocks);
      defined_ = periodic_->defined();
      return;
    }
    for (const BlockCounts& block : blocks) {
      defined_ =
          std::min(defined_, normalizable_bins(layout.bins, block.inscribed_radius));
    }
  }

  std::uint32_t defined() const { return defined_; }
  double of(std::size_t block, const BinRange& range) const {
    double volume = 0.0;
    for (std::uint32_t k = range.first; k < range.last; ++k) {
      volume += periodic_ ? periodic_->of(block, k)
                          : shell_volume(layout_.bins, layout_.plane, k);
    }
    return volume;
  }

 private:
  const HistogramLayout& layout_;
  std::uint32_t defined_ = 0;
  std::optional<ShellVolumes> periodic_;
};

double counts_of(const BlockCounts& block, PairId pair, const BinRange& range) {
  std::uint64_t sum = 0;
  for (std::uint32_t k = range.first; k < range.last; ++k) {
    sum += block.counts[pair.index()][k];
  }
  return static_cast<double>(sum);
}

}  // namespace

std::vector<LocalDensity> local_densities(const HistogramLayout& layout,
                                          const std::vector<BlockCounts>& blocks,
                                          PairId pair,
                                          const std::vector<BinRange>& ranges) {
  const Shells shells(layout, blocks);
  const SpeciesPair species = layout.pairs[pair.index()];
  const double per_pair = neighbours_per_pair(species);
  std::vector<LocalDensity> densities;
  std::vector<double> above(blocks.size());
  std::vector<double> below(blocks.size());
  std::vector<double> weights(blocks.size());
  for (const Coordination& direction : coordination_directions(species)) {
    LocalDensity density{direction.centre, direction.other, {}, {}};
    for (const BinRange& range : ranges) {
      if (range.last > shells.defined()) {
        density.value.push_back(std::numeric_limits<double>::quiet_NaN());
        density.errors.push_back(density.value.back());
        continue;
      }
      double all_above = 0.0;
      double all_below = 0.0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        above[b] = per_pair * counts_of(blocks[b], pair, range);
        below[b] =
            static_cast<double>(blocks[b].particle_number[direction.centre.index()]) *
            shells.of(b, range);
        weights[b] = below[b] > 0.0 ? blocks[b].frames : 0.0;
        all_above += above[b];
        all_below += below[b];
      }
      density.value.push_back(all_above / all_below);
      density.errors.push_back(jackknife_error(weights, [&](std::size_t b) {
        return (all_above - above[b]) / (all_below - below[b]);
      }));
    }
    densities.push_back(std::move(density));
  }
  return densities;
}

}  // namespace starhist::analysis
