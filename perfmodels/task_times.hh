#pragma once

#include <array>
#include <cstdint>

#include "perfmodels/speed_table.hh"

namespace starhist::perfmodels {

/// Numbers of frames of the tasks that are measured: one, many small frames, and some
/// larger ones.
inline constexpr std::array<std::uint32_t, 3> measured_frames{1, 32, 8};

/// Measured times of tasks of one class on one kind of worker, by their numbers of
/// pairs and of frames.
///
/// A GPU counts several frames together faster than one after the other, and slower
/// than one frame with as many pairs.
class TaskTimes {
 public:
  /// Times of tasks of measured_frames[k] frames.
  SpeedTable& of_frames(std::size_t k) { return tables_[k]; }

  /// True if no task of one frame was measured.
  bool empty() const { return tables_[0].empty(); }
  /// Expected time of a task with `pairs` pairs in `frames` frames (>= 1) of about
  /// equal size [s]. If tasks of several frames were not measured, the time of one
  /// frame with as many pairs. Must not be called while empty.
  double seconds(double pairs, std::uint32_t frames) const;

 private:
  double seconds_saved(double pairs) const;

  std::array<SpeedTable, measured_frames.size()> tables_;
};

}  // namespace starhist::perfmodels
