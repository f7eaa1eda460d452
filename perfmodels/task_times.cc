#include "perfmodels/task_times.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "codelets/core/base/contract.hh"

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

/// Time that a frame with `pairs` pairs saves [s, >= 0] if it shares a task with
/// others, compared with a separate task. Frames larger than all measured ones save as
/// much as the largest of these: it is the time in which a GPU is not full.
double TaskTimes::seconds_saved(double pairs) const {
  double saved = 0.0;
  for (std::size_t k = 1; k < tables_.size(); ++k) {
    if (tables_[k].empty()) {
      continue;
    }
    const double frames = measured_frames[k];
    const double largest = tables_[k].largest() / frames;
    const double measured = std::min(pairs, largest);
    const double alone = tables_[0].seconds(measured);
    const double further =
        (tables_[k].seconds(frames * measured) - alone) / (frames - 1.0);
    saved = std::max(alone - further, 0.0);
    if (pairs <= largest) {
      break;
    }
  }
  return saved;
}

double TaskTimes::seconds(double pairs, std::uint32_t frames) const {
  STARHIST_EXPECT(!empty(), "a task of one frame was measured");
  STARHIST_EXPECT(frames >= 1, "a task has at least one frame");
  const bool several_measured =
      std::any_of(tables_.begin() + 1, tables_.end(),
                  [](const SpeedTable& table) { return !table.empty(); });
  if (frames <= 1 || !several_measured) {
    return tables_[0].seconds(pairs);
  }
  const double alone = tables_[0].seconds(pairs / frames);
  constexpr double least = 0.01;  // of the separate task's time
  const double further = std::max(alone - seconds_saved(pairs / frames), least * alone);
  return alone + (frames - 1.0) * further;
}

}  // namespace starhist::perfmodels
