#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/vec3.hh"
#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Steps from one frame to the next, for a warning about particles that may have been
/// followed to a wrong image, or are not followed although positions are wrapped.
struct LongSteps {
  /// Steps longer than a quarter of the box; with LagOptions::unwrapped, steps that
  /// are shorter to another image, which cross half the box.
  std::uint64_t count = 0;
  FrameIndex first_frame;  ///< the later frame of the first such step
};

/// Steps of followed particles compared with the range of all positions so far, for a
/// warning about positions that are wrapped into another box than the one in which they
/// are followed, such as an open one: a particle that crosses a boundary jumps by about
/// the whole range, while the others move little.
struct Jumps {
  struct Axis {
    LongSteps jumps;            ///< steps longer than half the range
    std::uint64_t between = 0;  ///< those between a quarter and half of it
  };
  std::array<Axis, 3> axes;     ///< x, y, z
  std::uint64_t steps = 0;      ///< steps along each axis
  std::uint64_t particles = 0;  ///< of each frame

  /// The axis with the most jumps that motion does not explain: nearly all steps are
  /// short. -1 without one, or for fewer than ten particles, which do not show the
  /// range of positions.
  int axis() const;
};

/// The problem of jumps along axis(), which is not -1, and its reason; without a
/// remedy.
std::string to_sentence(const Jumps& jumps);

/// Extends the range of positions, and adds steps to Jumps.
class JumpWatch {
 public:
  /// Positions of a frame by species, x, y, z of each particle.
  void extend(const std::vector<std::vector<double>>& positions);
  /// Steps to the frame whose positions were given last.
  void add(Vec3 step, FrameIndex frame, Jumps& jumps) const;

 private:
  std::array<double, 3> lowest_{};
  std::array<double, 3> highest_{};
  bool any_ = false;
};

/// The problem of long steps, of which there is at least one, and its reason; without a
/// remedy. `unwrapped`: LagOptions::unwrapped.
std::string to_sentence(const LongSteps& steps, bool unwrapped);

/// Times, or steps, between the two frames of a lag; NaN if unknown.
struct LagTimes {
  double shortest = no_time;
  double longest = no_time;

  void add(const LagTimes& other) {
    shortest = std::fmin(shortest, other.shortest);  // ignores NaN
    longest = std::fmax(longest, other.longest);
  }
  /// Whether frames are apart.
  bool any() const { return shortest < 0.0 || longest > 0.0; }
  bool differ() const { return longest - shortest > 1e-3 * std::abs(longest); }
};

/// Observations of a count between frames, for notes to the user.
struct LagNotes {
  bool boxes_differ = false;    ///< two frames have different boxes
  bool periodic = false;        ///< the first box is periodic along some axis
  std::vector<LagTimes> times;  ///< by lag
  std::vector<LagTimes> steps;  ///< by lag
  LongSteps long_steps;
  Jumps jumps;
  bool has_ids = false;  ///< the file has particle ids

  /// Adds the observations of another process, which follows the same frames from the
  /// first one but may end earlier or later.
  void add(const LagNotes& other) {
    boxes_differ = boxes_differ || other.boxes_differ;
    periodic = periodic || other.periodic;
    has_ids = has_ids || other.has_ids;
    times.resize(std::max(times.size(), other.times.size()));
    steps.resize(times.size());
    for (std::size_t lag = 0; lag < other.times.size(); ++lag) {
      times[lag].add(other.times[lag]);
      steps[lag].add(other.steps[lag]);
    }
    if (other.long_steps.count > long_steps.count) {
      long_steps = other.long_steps;
    }
    if (other.jumps.steps > jumps.steps) {
      jumps = other.jumps;
    }
  }
};

}  // namespace starhist::driver
