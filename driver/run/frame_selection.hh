#pragma once

#include <cstdint>
#include <optional>

namespace starhist::driver {

/// Frames first, first + step, ... up to last (inclusive) of a trajectory, counted from
/// 0. Default: all frames.
struct FrameSelection {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;  ///< empty: the last frame of the trajectory
  std::uint64_t step = 1;             ///< [>= 1]

  /// Number of frames selected from a trajectory of `frame_count`. Throws InputError
  /// when it is 0.
  std::uint64_t count(std::uint64_t frame_count) const;
};

}  // namespace starhist::driver
