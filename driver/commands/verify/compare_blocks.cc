#include "driver/commands/verify/compare_blocks.hh"

#include "codelets/core/counting/histogram.hh"

namespace starhist::driver {
namespace {

void compare_sums_of_frames(const BlockCounts& block, const BlockCounts& recount,
                            Comparison& comparison) {
  comparison.integer("step of the last frame",
                     static_cast<std::uint64_t>(block.last_step),
                     static_cast<std::uint64_t>(recount.last_step));
  comparison.real("time of the last frame", block.last_time, recount.last_time);
  comparison.real("sum of volumes", block.volume, recount.volume);
  comparison.real("sum of inverse volumes", block.inverse_volume,
                  recount.inverse_volume);
  comparison.real("inscribed radius", block.inscribed_radius, recount.inscribed_radius);
}

void compare_boxes(const BlockCounts& block, const BlockCounts& recount,
                   Comparison& comparison) {
  if (block.box.has_value() != recount.box.has_value()) {
    const auto text = [](bool has) { return has ? "one for all frames" : "none"; };
    comparison.add("box", text(block.box.has_value()), text(recount.box.has_value()));
    return;
  }
  for (std::size_t k = 0; block.box && k < 3; ++k) {
    const Vec3 recorded = block.box->edges()[k];
    const Vec3 recounted = recount.box->edges()[k];
    const std::string vector = std::string("box vector ") + "abc"[k] + ", component ";
    comparison.real(vector + "x", recorded.x, recounted.x);
    comparison.real(vector + "y", recorded.y, recounted.y);
    comparison.real(vector + "z", recorded.z, recounted.z);
  }
}

/// Compares the counts by distance and second axis, and the sums from which g follows.
void compare_second(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount,
                    const std::vector<std::string>& pair_names,
                    Comparison& comparison) {
  const SecondAxis& axis = *layout.second;
  const std::size_t columns = axis.columns();
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    for (std::size_t k = 0; k < block.second[p].size(); ++k) {
      const std::uint64_t recorded = block.second[p][k];
      const std::uint64_t recounted = recount.second[p][k];
      if (!comparison.is_equal(recorded, recounted)) {
        comparison.add(pair_names[p] + ", " +
                           bin_text(layout, static_cast<std::uint32_t>(k / columns)) +
                           ", " + to_string(axis) + " bin " +
                           std::to_string(k % columns),
                       std::to_string(recorded), std::to_string(recounted));
      }
    }
    if (axis.along_normal()) {
      comparison.real(pair_names[p] + ", pairs over volume in space",
                      block.pairs_over_space[p], recount.pairs_over_space[p]);
    }
  }
  if (axis.along_normal()) {
    comparison.real("half of the period along the normal", block.half_period,
                    recount.half_period);
  }
}

}  // namespace

void compare_frames(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    Comparison& comparison) {
  for (std::size_t k = 0; k < block.counted.size(); ++k) {
    const CountedFrame& before = block.counted[k];
    if (before.checksum != 0 && before.checksum != recount.counted[k].checksum) {
      comparison.add("frame " + std::to_string(before.index.get()),
                     "the checksum of other positions, step or time",
                     "another checksum");
    }
  }
  comparison.integer("number of frames", block.frames, recount.frames);
  comparison.integer("first frame", block.first_frame.get(), recount.first_frame.get());
  comparison.integer("last frame", block.last_frame.get(), recount.last_frame.get());
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    const std::string name = "species " + layout.species[s] + ", ";
    comparison.integer(name + "particles", block.particle_number[s],
                       recount.particle_number[species[s]]);
    if (!block.empty_frames.empty()) {
      comparison.integer(name + "frames without particles", block.empty_frames[s],
                         recount.empty_frames[species[s]]);
    }
  }
}

void compare_blocks(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    const std::vector<std::string>& pair_names,
                    Comparison& comparison) {
  compare_frames(layout, block, recount, species, comparison);
  compare_sums_of_frames(block, recount, comparison);
  compare_boxes(block, recount, comparison);
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const std::string name = pair_names[p] + ", ";
    comparison.integer(name + "pairs", block.pairs[p], recount.pairs[p]);
    comparison.integer(name + "excluded pairs", block.excluded[p], recount.excluded[p]);
    comparison.integer(name + "underflow", block.underflow[p], recount.underflow[p]);
    comparison.integer(name + "out of range", block.out_of_range[p],
                       recount.out_of_range[p]);
    comparison.real(name + "pairs over volume", block.pairs_over_volume[p],
                    recount.pairs_over_volume[p]);
    for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
      const std::uint64_t recorded = block.counts[p][k];
      const std::uint64_t recounted = recount.counts[p][k];
      if (!comparison.is_equal(recorded, recounted)) {
        comparison.add(name + bin_text(layout, k), std::to_string(recorded),
                       std::to_string(recounted));
      }
    }
  }
  if (layout.second) {
    compare_second(layout, block, recount, pair_names, comparison);
  }
}

}  // namespace starhist::driver
