#pragma once

#include <cstdint>

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Steps from one frame to the next, for a warning about particles that may have been
/// followed to a wrong image, or are not followed although positions are wrapped.
struct LongSteps {
  /// Steps longer than a quarter of the box; with LagOptions::unwrapped, steps that
  /// are shorter to another image, which cross half the box.
  std::uint64_t count = 0;
  FrameIndex first_frame;  ///< the later frame of the first such step
};

}  // namespace starhist::driver
