#include "codelets/core/counting/histogram.hh"

#include <algorithm>
#include <numeric>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"

namespace starhist {
namespace {

template <class T>
void add(std::vector<T>& sum, const std::vector<T>& terms) {
  STARHIST_EXPECT(sum.size() == terms.size(), "blocks of a sum have the same layout");
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += terms[i];
  }
}

}  // namespace

std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         PairId pair) {
  STARHIST_EXPECT(pair.index() < layout.pairs.size(), "the layout has this pair");
  const SpeciesPair& species = layout.pairs[pair.index()];
  return pair_count(species, frame.particle_count(species.first),
                    frame.particle_count(species.second));
}

std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame) {
  std::uint64_t pairs = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    pairs += pair_count(layout, frame, PairId(p));
  }
  return pairs;
}

BlockCounts empty_block(const HistogramLayout& layout, BlockIndex index) {
  BlockCounts block;
  block.index = index;
  block.particle_number.resize(layout.species.size());
  block.empty_frames.resize(layout.selections.size());
  block.counts.assign(layout.pairs.size(),
                      std::vector<std::uint64_t>(layout.bins.count));
  block.underflow.resize(layout.pairs.size());
  block.out_of_range.resize(layout.pairs.size());
  block.pairs.resize(layout.pairs.size());
  block.excluded.resize(layout.pairs.size());
  block.pairs_over_volume.resize(layout.pairs.size());
  if (layout.second) {
    block.second.assign(layout.pairs.size(),
                        std::vector<std::uint64_t>(std::size_t{layout.bins.count} *
                                                   layout.second->columns()));
    if (layout.second->along_normal()) {
      block.pairs_over_space.resize(layout.pairs.size());
    }
  }
  return block;
}

void add_counts(const BlockCounts& from, BlockCounts& to) {
  STARHIST_EXPECT(from.counts.size() == to.counts.size(),
                  "blocks of a sum have the same pairs");
  add(to.underflow, from.underflow);
  add(to.out_of_range, from.out_of_range);
  for (std::size_t p = 0; p < to.counts.size(); ++p) {
    add(to.counts[p], from.counts[p]);
  }
  for (std::size_t p = 0; p < to.second.size(); ++p) {
    add(to.second[p], from.second[p]);
  }
}

void add_block(const BlockCounts& block, BlockCounts& sum) {
  sum.frames += block.frames;
  sum.last_frame = block.last_frame;
  sum.counted.clear();
  sum.last_step = block.last_step;
  sum.last_time = block.last_time;
  sum.volume += block.volume;
  sum.inverse_volume += block.inverse_volume;
  sum.inscribed_radius = std::min(sum.inscribed_radius, block.inscribed_radius);
  if (sum.box != block.box) {
    sum.box.reset();
  }
  add(sum.particle_number, block.particle_number);
  add(sum.empty_frames, block.empty_frames);
  add(sum.pairs, block.pairs);
  add(sum.excluded, block.excluded);
  add(sum.pairs_over_volume, block.pairs_over_volume);
  add(sum.pairs_over_space, block.pairs_over_space);
  sum.half_period = std::min(sum.half_period, block.half_period);
  add_counts(block, sum);
}

BlockCounts total(const std::vector<BlockCounts>& blocks) {
  STARHIST_EXPECT(!blocks.empty(), "a sum needs a block");
  BlockCounts sum = blocks.front();
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    add_block(blocks[b], sum);
  }
  return sum;
}

bool adds_up(const BlockCounts& block, std::size_t pair) {
  STARHIST_EXPECT(pair < block.pairs.size() && pair < block.counts.size() &&
                      pair < block.underflow.size() && pair < block.out_of_range.size(),
                  "the block has this pair");
  std::uint64_t rest = block.pairs[pair];
  const auto take = [&rest](std::uint64_t count) {
    if (count > rest) {
      return false;
    }
    rest -= count;
    return true;
  };
  return take(block.underflow[pair]) && take(block.out_of_range[pair]) &&
         std::all_of(block.counts[pair].begin(), block.counts[pair].end(), take) &&
         rest == 0;
}

bool second_adds_up(const HistogramLayout& layout, const BlockCounts& block) {
  for (std::size_t p = 0; layout.second && p < block.counts.size(); ++p) {
    const std::uint32_t columns = layout.second->columns();
    const std::uint64_t orders = layout.second->orders(layout.pairs[p].like());
    for (std::size_t k = 0; k < block.counts[p].size(); ++k) {
      std::uint64_t rest = orders * block.counts[p][k];
      for (std::size_t c = k * columns; c < (k + 1) * columns; ++c) {
        const std::uint64_t count = block.second[p][c];
        if (count > rest) {
          return false;
        }
        rest -= count;
      }
      if (rest != 0) {
        return false;
      }
    }
  }
  return true;
}

void check_conservation(const BlockCounts& block) {
  for (std::size_t p = 0; p < block.counts.size(); ++p) {
    if (!adds_up(block, p)) {
      const auto counted =
          std::accumulate(block.counts[p].begin(), block.counts[p].end(),
                          block.underflow[p] + block.out_of_range[p]);
      throw InternalError("block " + std::to_string(block.index.get()) + ", pair " +
                          std::to_string(p) + ": " + std::to_string(counted) +
                          " distances were counted, but there are " +
                          std::to_string(block.pairs[p]) +
                          " pairs, or more were subtracted from a bin than it had");
    }
  }
}

}  // namespace starhist
