#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Whether times are equal, up to rounding of a sum or to single precision.
bool same_time(const StepAndTime& a, const StepAndTime& b);

/// Steps and times of the frames of one file, in which restarted runs may have written
/// frames again.
class TimeOrder {
 public:
  /// `reader`: of a file. If it does not list its moments, they count as ascending.
  explicit TimeOrder(TrajectoryReader& reader);

  /// Indexes of the first frames of its parts, ascending, without frame 0: frames that
  /// are not later than the frame before. Empty if the file has no order.
  const std::vector<std::uint64_t>& begins() const { return begins_; }

  /// Number of frames that are not later than the frame before, if these are more than
  /// a third of all frames, or 1000 or more, as in a set of snapshots: the file has no
  /// order. Otherwise 0.
  std::uint64_t unordered() const { return unordered_; }
  /// Number of frames with step and time of an earlier frame, in a file without order.
  std::uint64_t repeated() const { return repeated_; }

 private:
  std::vector<std::uint64_t> begins_;
  std::uint64_t unordered_ = 0;
  std::uint64_t repeated_ = 0;
};

}  // namespace starhist::io
