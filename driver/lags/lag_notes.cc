#include "driver/lags/lag_notes.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

constexpr std::uint64_t fewest_particles = 10;
constexpr std::uint64_t fewest_short_steps = 4;  ///< per jump
constexpr std::uint64_t jumps_per_between = 10;

bool unexplained(const Jumps::Axis& axis, std::uint64_t steps) {
  return axis.jumps.count > 0 && fewest_short_steps * axis.jumps.count <= steps &&
         jumps_per_between * axis.between <= axis.jumps.count;
}

}  // namespace

int Jumps::axis() const {
  int found = -1;
  std::uint64_t most = 0;
  for (std::size_t k = 0; particles >= fewest_particles && k < axes.size(); ++k) {
    if (unexplained(axes[k], steps) && axes[k].jumps.count > most) {
      most = axes[k].jumps.count;
      found = static_cast<int>(k);
    }
  }
  return found;
}

std::string to_sentence(const Jumps& jumps) {
  const auto axis = static_cast<std::size_t>(jumps.axis());
  const LongSteps& steps = jumps.axes[axis].jumps;
  return counted(steps.count, "displacement") +
         " between consecutive frames, the first to frame " +
         std::to_string(steps.first_frame.get()) +
         (steps.count == 1 ? ", is" : ", are") +
         " about as long as the particles extend along " + std::string(1, "xyz"[axis]) +
         ", and the others are short, so displacements are wrong if the positions are "
         "wrapped into a box (a particle that crosses a boundary jumps to the other "
         "side)";
}

void JumpWatch::extend(const std::vector<std::vector<double>>& positions) {
  for (const std::vector<double>& xyz : positions) {
    for (std::size_t i = 0; i < xyz.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        lowest_[k] = any_ ? std::min(lowest_[k], xyz[i + k]) : xyz[i + k];
        highest_[k] = any_ ? std::max(highest_[k], xyz[i + k]) : xyz[i + k];
      }
      any_ = true;
    }
  }
}

void JumpWatch::add(Vec3 step, FrameIndex frame, Jumps& jumps) const {
  const std::array<double, 3> along{step.x, step.y, step.z};
  ++jumps.steps;
  for (std::size_t k = 0; k < 3; ++k) {
    const double range = highest_[k] - lowest_[k];
    const double length = std::abs(along[k]);
    if (length > 0.5 * range) {
      LongSteps& longer = jumps.axes[k].jumps;
      longer.first_frame = longer.count++ == 0 ? frame : longer.first_frame;
    } else if (length > 0.25 * range) {
      ++jumps.axes[k].between;
    }
  }
}

std::string to_sentence(const LongSteps& steps, bool unwrapped) {
  return grouped(steps.count) +
         (steps.count == 1 ? " displacement" : " displacements") +
         " between consecutive frames, the first to frame " +
         std::to_string(steps.first_frame.get()) +
         (unwrapped
              ? ", exceed half the box, so displacements are wrong if the positions "
                "are "
                "wrapped (a particle that crosses a boundary jumps to the other side)"
              : ", exceed a quarter of the box, so displacements may be wrong (a "
                "particle that moves by half the box looks as if it moved back)");
}

}  // namespace starhist::driver
