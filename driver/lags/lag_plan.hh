#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "driver/lags/lag_window.hh"

namespace starhist::driver {

/// A count between frames, and its size.
struct LagPlan {
  LagLayout layout;
  LagOptions options;
  std::uint64_t origin_bytes = 0;    ///< LagWindow::origin_bytes()
  std::uint64_t expected_pairs = 0;  ///< pairs to count in all frames
};

/// Plans a count of `frame_count` frames like `first`. Throws InputError if the frames
/// have no second origin although options.every_origin asks for one, or if the origins
/// take more than half of `memory_bytes`.
LagPlan plan_lags(const LagLayout& layout, const LagOptions& options,
                  const Frame& first, std::uint64_t frame_count,
                  std::uint64_t memory_bytes);

}  // namespace starhist::driver
