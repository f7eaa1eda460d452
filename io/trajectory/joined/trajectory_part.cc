#include "io/trajectory/joined/trajectory_part.hh"

#include <cmath>

namespace starhist::io {

std::string TrajectoryPart::name() const {
  return begin == 0 ? path : path + " from frame " + std::to_string(begin) + " on";
}

void TrajectoryPart::set_clock() {
  if (first && last && (first->timed || last->timed)) {
    clock = Clock::time;
    first->timed = !std::isnan(first->time);
    last->timed = !std::isnan(last->time);
  }
}

std::optional<TrajectoryPart> TrajectoryPart::by_steps() const {
  if (!first || !last || last->step == 0 || (frames > 1 && last->step <= first->step)) {
    return std::nullopt;
  }
  TrajectoryPart other = *this;
  other.clock = Clock::step;
  for (Moment* moment : {&*other.first, &*other.last}) {
    moment->time = no_time;
    moment->timed = false;
  }
  return other;
}

}  // namespace starhist::io
