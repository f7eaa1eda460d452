#include "perfmodels/speed_table.hh"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace starhist {

void SpeedTable::add(double pairs, double seconds) {
  if (pairs > 0.0 && seconds > 0.0) {
    Sum& sum = sums_[pairs];
    sum.seconds += seconds;
    sum.count += 1.0;
  }
}

double SpeedTable::seconds(double pairs) const {
  const auto above = sums_.lower_bound(pairs);
  if (above == sums_.begin()) {
    return above->second.mean();
  }
  const auto below = std::prev(above);
  if (above == sums_.end()) {
    return below->second.mean() * (pairs / below->first);
  }
  const double weight =
      std::log(pairs / below->first) / std::log(above->first / below->first);
  return below->second.mean() *
         std::pow(above->second.mean() / below->second.mean(), weight);
}

}  // namespace starhist
