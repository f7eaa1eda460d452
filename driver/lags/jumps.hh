#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/vec3.hh"
#include "codelets/core/counting/frame.hh"
#include "driver/lags/long_steps.hh"

namespace starhist::driver {

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

}  // namespace starhist::driver
