#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::io {

/// Consecutive frames of a file of a trajectory.
struct TrajectoryPart {
  std::string path;
  std::uint64_t first_frame = 0;           ///< in the trajectory
  std::uint64_t begin = 0;                 ///< its first frame in the file
  std::vector<std::string> species = {};   ///< species of this file
  std::vector<std::size_t> position = {};  ///< index of each of them in the trajectory
  std::uint64_t left_out = 0;  ///< number of repeated frames skipped at its beginning
  std::uint64_t frames = 0;    ///< number of frames, including these
  Clock clock = Clock::recorded;
  /// Moments of the first and last readable frame.
  std::optional<Moment> first = {};
  std::optional<Moment> last = {};

  /// Sets the clock of a part with times.
  void set_clock();
  /// The part, ordered by steps; empty if its steps do not rise.
  std::optional<TrajectoryPart> by_steps() const;
  /// The frames of the part in a reader of its file.
  PartFrames range_in(TrajectoryReader& reader) const {
    return {reader, begin, frames, clock};
  }
  /// "a.dump", or "a.dump from frame 8 on".
  std::string name() const;
  /// Index in the file of a frame of the trajectory.
  FrameIndex in_file(FrameIndex index) const {
    return FrameIndex(index.get() - first_frame + left_out + begin);
  }
};

}  // namespace starhist::io
