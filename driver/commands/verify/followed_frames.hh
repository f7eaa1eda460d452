#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "driver/commands/verify/reopened_run.hh"
#include "driver/lags/particle_identity.hh"

namespace starhist::driver {

/// Position of a particle of a species; `xyz`: all of its coordinates.
inline Vec3 position(const std::vector<double>& xyz, std::size_t particle) {
  return {xyz[3 * particle], xyz[3 * particle + 1], xyz[3 * particle + 2]};
}

/// A frame of a count between frames.
struct FollowedFrame {
  std::uint64_t number = 0;  ///< among the selected frames of all parts
  Frame frame;               ///< particles in the order of the first frame
  /// Positions by species, followed from the first selected frame on through the
  /// nearest image; as in the file with --unwrapped.
  std::vector<std::vector<double>> continuous;
};

/// Reads the frames of a run of starhist vanhove again and follows their particles.
class FollowedFrames {
 public:
  /// `checksums`: recorded checksums of frames, which are compared; `first`: first
  /// frame of the run. `run` must outlive this object.
  FollowedFrames(ReopenedRun& run, const TrajectoryRunSpec& spec,
                 std::uint64_t longest_lag,
                 std::map<std::uint64_t, std::uint64_t> checksums, FrameIndex first);

  /// Follows the particles to this frame, from the first selected frame if that is
  /// necessary. Throws InputError if a frame cannot be used or is not selected.
  const FollowedFrame& go_to(FrameIndex index);

  /// The origin `lag` frames before the last frame of go_to(); null without one.
  const FollowedFrame* origin(std::uint64_t lag) const;

  const ParticleIdentity& identity() const { return *identity_; }

  /// The frames on the way whose checksums differ, each once.
  std::vector<std::uint64_t> take_changed() { return std::exchange(changed_, {}); }

 private:
  void restart();
  std::optional<Frame> read_between(FrameIndex index);
  void follow(Frame&& frame, std::uint64_t number);

  ReopenedRun& run_;
  const FrameSelection selection_;
  const LagChoice choice_;
  const bool skips_;  ///< with --skip-bad-frames
  const std::uint64_t longest_lag_;
  const std::map<std::uint64_t, std::uint64_t> checksums_;  ///< by frame; 0: unknown
  const FrameIndex first_;
  std::optional<ParticleIdentity> identity_;
  std::uint64_t next_ = 0;                        ///< number of the next frame
  std::shared_ptr<const FollowedFrame> current_;  ///< null before the first frame
  std::deque<std::shared_ptr<const FollowedFrame>> origins_;
  std::set<std::uint64_t> known_changed_;
  std::vector<std::uint64_t> changed_;
};

}  // namespace starhist::driver
