#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "tasks/pair_counter.hh"
#include "tests/support/boxes.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

struct Trajectory {
  HistogramLayout layout;
  std::vector<Frame> frames;
};

/// Frames as irregular as possible: species A, B and C with changing numbers of
/// particles, often zero; the box of each frame is of another kind and size.
inline Trajectory random_trajectory(std::uint64_t seed, std::uint64_t frame_count) {
  Random random(seed);
  const std::vector<Box> boxes{
      cubic_box(1.0),
      periodic_box({1.1, 0, 0}, {0, 0.9, 0}, {0, 0, 1.3}),
      truncated_octahedron(),
      Box(),
      periodic_box({0.9, 0, 0}, {0.2, 1.0, 0}, {0.3, -0.1, 1.2}),
      Box({Vec3{1, 0, 0}, {0, 1, 0}, {}}, {true, true, false})};
  Trajectory trajectory{
      {{"A", "B", "C"}, all_pairs(3), make_bins(0.7, 300), "nm", "ps"}, {}};
  for (std::uint64_t index = 0; index < frame_count; ++index) {
    Frame frame;
    frame.index = FrameIndex(index);
    frame.step = 100 + 10 * static_cast<std::int64_t>(index);
    frame.time = 0.5 * static_cast<double>(index);
    frame.box = boxes[random.below(boxes.size())];
    const bool empty = random.chance(0.1);
    for (const std::uint64_t most : {90U, 50U, 4U}) {
      const std::size_t count = empty || random.chance(0.2) ? 0 : random.below(most);
      frame.positions.push_back(random_positions(random, frame.box, count));
    }
    trajectory.frames.push_back(frame);
  }
  return trajectory;
}

/// Expected counts: one reference call per pair and frame, and plain sums.
inline std::vector<BlockCounts> expected_blocks(const Trajectory& trajectory,
                                                std::uint32_t frames_per_block) {
  const HistogramLayout& layout = trajectory.layout;
  std::vector<BlockCounts> blocks;
  for (const Frame& frame : trajectory.frames) {
    if (blocks.empty() || blocks.back().frames == frames_per_block) {
      blocks.push_back(empty_block(layout, BlockIndex(blocks.size())));
      blocks.back().first_frame = frame.index;
    }
    BlockCounts& block = blocks.back();
    block.frames += 1;
    block.last_frame = frame.index;
    block.last_step = frame.step;
    block.last_time = frame.time;
    block.inscribed_radius =
        std::min(block.inscribed_radius, frame.box.inscribed_radius());
    const double inverse_volume =
        frame.box.has_volume() ? 1.0 / frame.box.volume() : 0.0;
    block.volume += frame.box.volume();
    block.inverse_volume += inverse_volume;
    for (std::size_t s = 0; s < layout.species.size(); ++s) {
      block.particle_number[s] += frame.positions[s].size() / 3;
    }
    for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
      const auto& first = frame.positions[layout.pairs[p].first.index()];
      const auto& second = frame.positions[layout.pairs[p].second.index()];
      kernels::PairBlock pairs;
      pairs.first = {first.data(), first.size() / 3};
      pairs.second = {second.data(), second.size() / 3};
      pairs.like = layout.pairs[p].like();
      pairs.row_end = pairs.first.count;
      pairs.image = &frame.box.minimum_image();
      const UniformBins bins = layout.bins.from_zero();
      pairs.bins = &bins;
      std::vector<std::uint64_t> counts(bins.count + 1ULL);
      const std::uint64_t counted =
          kernels::reference::count_pairs({&pairs, 1}, 1, counts.data()).pairs;
      block.pairs[p] += counted;
      block.pairs_over_volume[p] += static_cast<double>(counted) * inverse_volume;
      for (std::size_t k = 0; k < layout.bins.below; ++k) {
        block.underflow[p] += counts[k];
      }
      for (std::size_t k = 0; k < layout.bins.count; ++k) {
        block.counts[p][k] += counts[layout.bins.below + k];
      }
      block.out_of_range[p] += counts.back();
    }
  }
  return blocks;
}

inline std::vector<BlockCounts> counted_blocks(tasks::Runtime& runtime,
                                               const Trajectory& trajectory,
                                               const tasks::CountingOptions& options,
                                               PairExclusions exclusions = {}) {
  std::vector<BlockCounts> blocks;
  tasks::PairCounter counter(
      runtime, trajectory.layout, options,
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); },
      std::move(exclusions));
  for (Frame frame : trajectory.frames) {
    counter.add(std::move(frame));
  }
  counter.finish();
  return blocks;
}

/// True if both are the same time, or both no_time.
inline bool same_time(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// "" if all blocks are equal in everything; otherwise the first difference.
inline std::string difference(const std::vector<BlockCounts>& blocks,
                              const std::vector<BlockCounts>& expected) {
  if (blocks.size() != expected.size()) {
    return std::to_string(blocks.size()) + " blocks, not " +
           std::to_string(expected.size());
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const BlockCounts& block = blocks[b];
    const BlockCounts& other = expected[b];
    const std::vector<std::pair<std::string, bool>> equal{
        {"index", block.index == other.index},
        {"frames", block.frames == other.frames},
        {"first_frame", block.first_frame == other.first_frame},
        {"last_frame", block.last_frame == other.last_frame},
        {"last_step", block.last_step == other.last_step},
        {"last_time", same_time(block.last_time, other.last_time)},
        {"volume", block.volume == other.volume},
        {"inverse_volume", block.inverse_volume == other.inverse_volume},
        {"inscribed_radius", block.inscribed_radius == other.inscribed_radius},
        {"particle_number", block.particle_number == other.particle_number},
        {"counts", block.counts == other.counts},
        {"underflow", block.underflow == other.underflow},
        {"excluded", block.excluded == other.excluded},
        {"out_of_range", block.out_of_range == other.out_of_range},
        {"pairs", block.pairs == other.pairs},
        {"pairs_over_volume", block.pairs_over_volume == other.pairs_over_volume},
        {"second", block.second == other.second},
        {"pairs_over_space", block.pairs_over_space == other.pairs_over_space},
        {"half_period", block.half_period == other.half_period}};
    for (const auto& [name, same] : equal) {
      if (!same) {
        return "block " + std::to_string(b) + ": " + name + " differ";
      }
    }
  }
  return "";
}

}  // namespace starhist::testing
