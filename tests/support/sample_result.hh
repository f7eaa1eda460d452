#pragma once

#include <vector>

#include "codelets/core/counting/histogram.hh"

namespace starhist::testing {

/// Species H and O, pairs H-H, H-O and O-O, `bin_count` bins up to r_max = 1 nm.
inline HistogramLayout sample_layout(std::uint32_t bin_count = 50) {
  return {{"H", "O"}, all_pairs(2), make_bins(1.0, bin_count), "nm", "ps"};
}

/// Block `index` of `frames` frames with 8 H and 4 O in boxes of 27 nm^3; its counts
/// depend only on the index, and add up to the pairs.
inline BlockCounts sample_block(const HistogramLayout& layout, std::uint64_t index,
                                std::uint32_t frames = 10) {
  const std::vector<std::uint64_t> particles{8, 4};
  BlockCounts block = empty_block(layout, BlockIndex(index));
  block.frames = frames;
  block.first_frame = FrameIndex(index * frames);
  block.last_frame = FrameIndex(index * frames + frames - 1);
  block.last_step = static_cast<std::int64_t>(block.last_frame.get()) * 500;
  block.last_time = static_cast<double>(block.last_step) * 0.002;
  block.volume = 27.0 * frames;
  block.inverse_volume = frames / 27.0;
  block.inscribed_radius = 1.5;
  std::uint64_t state = index * 2654435761U + 12345;
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair pair = layout.pairs[p];
    block.pairs[p] = frames * pair_count(pair, particles[pair.first.index()],
                                         particles[pair.second.index()]);
    block.pairs_over_volume[p] = static_cast<double>(block.pairs[p]) / 27.0;
    std::uint64_t rest = block.pairs[p];
    for (std::uint64_t& count : block.counts[p]) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      count = (state >> 60U) <= rest ? state >> 60U : rest;
      rest -= count;
    }
    block.out_of_range[p] = rest;
  }
  for (std::size_t s = 0; s < particles.size(); ++s) {
    block.particle_number[s] = frames * particles[s];
  }
  return block;
}

inline std::vector<BlockCounts> sample_blocks(const HistogramLayout& layout,
                                              std::uint64_t count) {
  std::vector<BlockCounts> blocks;
  for (std::uint64_t index = 0; index < count; ++index) {
    blocks.push_back(sample_block(layout, index));
  }
  return blocks;
}

}  // namespace starhist::testing
