#include "perfmodels/speed_table.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace starhist::perfmodels {

void SpeedTable::add(double pairs, double seconds) {
  if (pairs > 0.0 && seconds > 0.0) {
    Sum& sum = sums_[pairs];
    sum.seconds += seconds;
    sum.count += 1.0;
  }
}

/// Time per pair in large tasks [s].
double SpeedTable::seconds_of_a_pair() const {
  constexpr double share = 1.0 / 8.0;
  std::vector<double> speeds;
  for (auto size = sums_.lower_bound(share * sums_.rbegin()->first);
       size != sums_.end(); ++size) {
    speeds.push_back(size->second.mean() / size->first);
  }
  const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
  std::nth_element(speeds.begin(), middle, speeds.end());
  return *middle;
}

double SpeedTable::seconds(double pairs) const {
  const auto above = sums_.lower_bound(pairs);
  if (above == sums_.begin()) {
    return above->second.mean();
  }
  const auto below = std::prev(above);
  if (above == sums_.end()) {
    return pairs * seconds_of_a_pair();
  }
  const double weight =
      std::log(pairs / below->first) / std::log(above->first / below->first);
  return below->second.mean() *
         std::pow(above->second.mean() / below->second.mean(), weight);
}

}  // namespace starhist::perfmodels
