#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "driver/lags/lag_plan.hh"
#include "driver/ranks/packing.hh"
#include "driver/ranks/work_unit.hh"
#include "driver/run/frames/frame_stream.hh"

namespace starhist::driver {

/// Frames of one rank in a count between frames. The rank reads all frames from the
/// first one up to the end of its last unit: particles are followed from frame to
/// frame, and frames of other ranks' units are origins. Units are whole blocks and
/// follow in order.
class LagWalk {
 public:
  explicit LagWalk(const LagPlan& plan)
      : options_(plan.options), window_(plan.layout, plan.options) {}

  /// Appends the frames up to the end of the unit to TrajectoryRun::growing_stream().
  void append(const WorkUnit& unit, FrameStream& stream) {
    stream.append(appended_, options_.first_number + unit.end);
    appended_ = options_.first_number + unit.end;
  }

  /// True if the next frame of the stream is before this unit.
  bool is_before(const WorkUnit& unit) const {
    return next_ < options_.first_number + unit.begin;
  }
  /// Number of the unit that has the next frame, if that is_before() `unit`: 0 for
  /// frames before the first unit. Otherwise the number of `unit`.
  std::uint64_t unit_of_next(const WorkUnit& unit) const {
    if (!is_before(unit)) {
      return unit.number;
    }
    const std::uint64_t next = std::max(next_, options_.first_number);
    const std::uint64_t block =
        (next - options_.first_number) / options_.frames_per_block;
    return unit.number - std::min(unit.number, block_of(unit) - block);
  }

  /// Takes the next frame of the stream, only as an origin. Throws like LagWindow.
  void lead_in(Frame&& frame) {
    window_.lead_in(std::move(frame), next_);
    ++next_;
  }
  /// Takes the next frame of the stream and returns its particle sets. Throws like
  /// LagWindow.
  Frame add(Frame&& frame) { return window_.add(std::move(frame), next_++); }
  /// Passes over the next frame of the stream.
  void leave_out() { ++next_; }

  /// The finished block of a unit whose particle sets were counted.
  std::vector<char> finish(const WorkUnit& unit, BlockCounts&& sets) {
    sets.index = BlockIndex(block_of(unit));
    return packed_block(window_.finish(std::move(sets)));
  }

  const LagNotes& notes() const { return window_.notes(); }

 private:
  std::uint64_t block_of(const WorkUnit& unit) const {
    return unit.begin / options_.frames_per_block;
  }

  const LagOptions options_;
  LagWindow window_;
  // Numbers in the stream, which begins with the first origin.
  std::uint64_t appended_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace starhist::driver
