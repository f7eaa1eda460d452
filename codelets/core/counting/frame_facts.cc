#include "codelets/core/counting/frame_facts.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/contract.hh"

namespace starhist {
namespace {

/// Adds a frame to the sums that normalise counts by heights.
void add_space(const FrameFacts& frame, BlockCounts& block) {
  block.half_period = std::min(block.half_period, 0.5 * frame.period);
  const double volume = frame.box.volume() * frame.period;
  for (std::size_t p = 0; volume > 0.0 && p < frame.pairs.size(); ++p) {
    block.pairs_over_space[p] += static_cast<double>(frame.pairs[p]) / volume;
  }
}

}  // namespace

FrameFacts facts_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                    const Frame& frame) {
  PairNumbers pairs = exclusions.numbers(layout, frame);
  FrameFacts facts;
  facts.index = frame.index;
  facts.step = frame.step;
  facts.time = frame.time;
  facts.box = frame.box;
  facts.period = frame.period;
  facts.checksum = frame.checksum;
  facts.pairs = std::move(pairs.counted);
  facts.excluded = std::move(pairs.excluded);
  facts.work = pairs.work;
  for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
    facts.particle_number.push_back(frame.particle_count(SpeciesId(s)));
  }
  return facts;
}

void add_frame(const Region& region, const FrameFacts& frame, BlockCounts& block) {
  STARHIST_EXPECT(frame.particle_number.size() == block.particle_number.size() &&
                      frame.pairs.size() == block.pairs.size() &&
                      frame.excluded.size() == block.excluded.size(),
                  "frame and block have the same layout");
  const Box& box = frame.box;
  if (block.frames == 0) {
    block.first_frame = frame.index;
    if (box.has_volume()) {
      block.box = box;
    }
  } else if (block.box && *block.box != box) {
    block.box.reset();
  }
  ++block.frames;
  block.last_frame = frame.index;
  block.counted.push_back({frame.index, frame.checksum});
  block.last_step = frame.step;
  block.last_time = frame.time;
  block.inscribed_radius = std::min(block.inscribed_radius, box.inscribed_radius());
  const double volume = region_volume(region, box);
  const double inverse_volume = volume > 0.0 ? 1.0 / volume : 0.0;
  block.volume += volume;
  block.inverse_volume += inverse_volume;
  for (std::size_t s = 0; s < frame.particle_number.size(); ++s) {
    block.particle_number[s] += frame.particle_number[s];
  }
  for (std::size_t s = 0; s < block.empty_frames.size(); ++s) {
    block.empty_frames[s] += frame.particle_number[s] == 0 ? 1 : 0;
  }
  for (std::size_t p = 0; p < frame.pairs.size(); ++p) {
    block.pairs[p] += frame.pairs[p];
    block.excluded[p] += frame.excluded[p];
    block.pairs_over_volume[p] += static_cast<double>(frame.pairs[p]) * inverse_volume;
  }
  if (!block.pairs_over_space.empty()) {
    add_space(frame, block);
  }
}

}  // namespace starhist
