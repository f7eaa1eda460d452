#pragma once

#include <cstdint>
#include <optional>

namespace starhist::driver {

/// Frames first, first + step, ... up to last (inclusive) of a trajectory.
struct FrameSelection {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;
  std::uint64_t step = 1;

  /// Number of frames selected from `frame_count`. Throws InputError when it is none.
  std::uint64_t count(std::uint64_t frame_count) const;
};

}  // namespace starhist::driver
