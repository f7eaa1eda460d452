#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/commands/verify/recorded_run.hh"
#include "driver/run/frames/frame_source.hh"
#include "driver/run/frames/trajectory_input.hh"

namespace starhist::driver {

/// The trajectory of a run, opened again to recount its blocks. For one thread.
class ReopenedRun {
 public:
  /// Throws InputError if the trajectory cannot be read, if it lacks particles or units
  /// of the result, or if it is another trajectory: neither the first nor the last
  /// frame of the run has its checksum. References must outlive this object.
  ReopenedRun(const CountedRun& run, const RecordedRun& recorded);

  /// The result's layout, with the species of the trajectory.
  const HistogramLayout& layout() const { return layout_; }
  const PairExclusions& exclusions() const { return exclusions_; }
  const io::TrajectoryInfo& info() const { return input_.info(); }
  TrajectoryInput& input() { return input_; }
  /// Number in layout() of each species of the result.
  const std::vector<std::size_t>& species() const { return species_; }

  /// Reads a frame and sets its checksum. Throws InputError if it is unusable.
  Frame read(FrameIndex index);

 private:
  void check_trajectory(const CountedRun& run);

  TrajectoryInput input_;
  std::vector<std::size_t> species_;
  HistogramLayout layout_;
  PairExclusions exclusions_;
};

/// The frames of a block, read again in their order.
class BlockFrames : public FrameSource {
 public:
  /// The arguments must outlive this object.
  BlockFrames(const BlockCounts& block, ReopenedRun& run) : block_(block), run_(run) {}

  std::optional<Frame> next() override {
    if (next_ == block_.counted.size()) {
      return std::nullopt;
    }
    return run_.read(block_.counted[next_++].index);
  }
  std::uint64_t passed() const override { return next_; }

 private:
  const BlockCounts& block_;
  ReopenedRun& run_;
  std::size_t next_ = 0;
};

}  // namespace starhist::driver
