#include "driver/lags/lag_notes.hh"

#include "codelets/core/base/text.hh"

namespace starhist::driver {

std::string to_sentence(const LongSteps& steps, bool unwrapped) {
  return grouped(steps.count) +
         (steps.count == 1 ? " displacement" : " displacements") +
         " between consecutive frames, the first to frame " +
         std::to_string(steps.first_frame.get()) +
         (unwrapped
              ? ", exceed half the box, so displacements are wrong if the positions "
                "are "
                "wrapped (a particle that crosses a boundary jumps to the other side)"
              : ", exceed a quarter of the box, so displacements may be wrong (a "
                "particle that moves by half the box looks as if it moved back)");
}

}  // namespace starhist::driver
