#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"

namespace starhist::driver {

/// Finds frames that a run counted twice, because a trajectory contains them twice at
/// other steps or times, or in a file without order.
class RepeatedPositions {
 public:
  /// Adds the counted frames of the next block.
  void add(const std::vector<CountedFrame>& frames);

  /// Warning about frames with the step, time and positions of an earlier one, and
  /// about two consecutive frames with the positions of two earlier ones, if these
  /// differ. Single frames with the same positions may be a starting structure or
  /// particles at rest. "" if all frames differ.
  std::string warning() const;

 private:
  std::vector<CountedFrame> frames_;
};

}  // namespace starhist::driver
