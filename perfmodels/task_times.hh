#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace starhist::perfmodels {

/// Measured times of tasks of one class on one kind of worker, by their number of
/// pairs.
///
/// Between two measured sizes the time is interpolated on logarithmic scales. A task
/// smaller than all measured ones takes as long as the smallest, whose time is
/// overhead. A task larger than all has the median speed of the sizes down to an eighth
/// of the largest, because the largest may have been measured once, and interrupted.
class SpeedTable {
 public:
  /// Adds a measurement; times of the same size are averaged. Numbers of pairs and
  /// times that are not positive are ignored.
  void add(double pairs, double seconds);
  bool empty() const { return sums_.empty(); }
  /// Largest measured number of pairs. Needs at least one measurement.
  double largest() const { return sums_.rbegin()->first; }
  /// Expected time of a task with `pairs` pairs [s]. Needs at least one measurement.
  double seconds(double pairs) const;

 private:
  struct Sum {
    double seconds = 0.0;
    double count = 0.0;
    double mean() const { return seconds / count; }
  };
  double seconds_of_a_pair() const;
  std::map<double, Sum> sums_;
};

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
