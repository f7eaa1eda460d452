#include "codelets/core/counting/lag_layout.hh"

#include <algorithm>
#include <functional>

#include "codelets/core/base/contract.hh"

namespace starhist {
namespace {

SpeciesId species_id(std::size_t index) {
  return SpeciesId(static_cast<std::uint32_t>(index));
}

}  // namespace

SpeciesId LagLayout::origin_set(std::size_t lag, SpeciesId species) const {
  return species_id(lag * pairs.species.size() + species.index());
}

SpeciesId LagLayout::later_set(SpeciesId species) const {
  return origin_set(lags.size(), species);
}

HistogramLayout channels_of(const LagLayout& layout) {
  HistogramLayout channels = layout.pairs;
  channels.pairs.clear();
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    channels.pairs.insert(channels.pairs.end(), layout.pairs.pairs.begin(),
                          layout.pairs.pairs.end());
  }
  return channels;
}

HistogramLayout sets_of(const LagLayout& layout) {
  STARHIST_EXPECT(std::adjacent_find(layout.lags.begin(), layout.lags.end(),
                                     std::greater_equal<>()) == layout.lags.end(),
                  "lags are ascending, each once");
  HistogramLayout sets = layout.pairs;
  sets.species.clear();
  sets.pairs.clear();
  sets.elements.clear();
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    for (const std::string& name : layout.pairs.species) {
      sets.species.push_back(name + " at lag " + std::to_string(layout.lags[lag]));
    }
    for (const SpeciesPair& pair : layout.pairs.pairs) {
      sets.pairs.push_back({layout.origin_set(lag, pair.first),
                            layout.lags[lag] == 0 ? layout.origin_set(lag, pair.second)
                                                  : layout.later_set(pair.second)});
    }
  }
  sets.species.insert(sets.species.end(), layout.pairs.species.begin(),
                      layout.pairs.species.end());
  return sets;
}

std::vector<DisplacementCounts> empty_displacements(const LagLayout& layout) {
  DisplacementCounts none;
  none.counts.resize(layout.pairs.bins.count);
  return std::vector<DisplacementCounts>(
      layout.lags.size() * layout.pairs.species.size(), none);
}

void add_displacements(const std::vector<DisplacementCounts>& block,
                       std::vector<DisplacementCounts>& sum) {
  STARHIST_EXPECT(block.size() == sum.size(), "blocks of a sum have the same lags");
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i].frames += block[i].frames;
    sum[i].time += block[i].time;
    sum[i].particles += block[i].particles;
    sum[i].squares += block[i].squares;
    sum[i].underflow += block[i].underflow;
    sum[i].out_of_range += block[i].out_of_range;
    for (std::size_t k = 0; k < sum[i].counts.size(); ++k) {
      sum[i].counts[k] += block[i].counts[k];
    }
  }
}

bool adds_up(const DisplacementCounts& displacements) {
  std::uint64_t rest = displacements.particles;
  const auto take = [&rest](std::uint64_t count) {
    if (count > rest) {
      return false;
    }
    rest -= count;
    return true;
  };
  return take(displacements.underflow) && take(displacements.out_of_range) &&
         std::all_of(displacements.counts.begin(), displacements.counts.end(), take) &&
         rest == 0;
}

}  // namespace starhist
