#include "perfmodels/task_times.hh"

#include <algorithm>

#include "codelets/core/base/contract.hh"

namespace starhist::perfmodels {

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
