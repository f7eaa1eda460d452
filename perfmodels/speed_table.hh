#pragma once

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

}  // namespace starhist::perfmodels
