#pragma once

#include <map>

namespace starhist::perfmodels {

/// Measured times of tasks of one class on one kind of worker, by their number of
/// pairs.
///
/// Between two sizes the time is interpolated on logarithmic scales. A task smaller
/// than all measured takes as long as the smallest, whose time is overhead. A larger
/// one is as fast as the median of the last ones, down to an eighth of the largest: one
/// of them may have been measured once, and interrupted.
class SpeedTable {
 public:
  /// Several times of one size are averaged.
  void add(double pairs, double seconds);
  bool empty() const { return sums_.empty(); }
  /// Needs at least one measurement.
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
