#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "driver/lags/lag_window.hh"
#include "tasks/planning/counting_options.hh"

namespace starhist::capi {

/// Lags of a histogram that counts between frames, and its frames paired with earlier
/// ones.
class LagCounting {
 public:
  /// See starhist_set_lags(). Throws CallError, for too many lags without reading them.
  LagCounting(std::span<const std::uint64_t> lags, std::uint64_t every_origin,
              bool unwrapped);

  const std::vector<std::uint64_t>& lags() const { return layout_.lags; }
  const driver::LagOptions& options() const { return options_; }

  /// Number of a lag. Throws CallError unless it is one of lags().
  std::size_t number_of(std::uint64_t lag) const;
  /// Index of LaggedBlock::displacements. Throws CallError like number_of().
  std::size_t displacement(std::uint64_t lag, std::size_t species) const;

  /// Starts with the frame `first`. `pairs`: layout of each lag. Returns the layout of
  /// the frames to count, and adapts `options`. Throws CallError if the origins take
  /// more than half of the memory.
  HistogramLayout start(const HistogramLayout& pairs, const Frame& first,
                        tasks::CountingOptions& options);
  /// Returns the frame to count. Throws CallError if a position of an earlier frame is
  /// too far away for this frame's box.
  Frame pair(Frame&& frame, std::uint64_t number);
  /// Counts of a block by channel. `full`: of the whole block.
  LaggedBlock finish(BlockCounts&& sets, bool full);
  /// Ends the count and frees the origins.
  void stop() { window_.reset(); }

  /// Throws CallError unless a frame with this number of counted particles may follow.
  void check(std::uint64_t particles) const;
  /// A warning that displacements may be wrong; "" without one.
  std::string warning() const;

 private:
  LagLayout layout_;
  driver::LagOptions options_;
  std::unique_ptr<driver::LagWindow> window_;  ///< null before the first frame
  std::uint64_t particles_ = 0;                ///< of each frame
};

}  // namespace starhist::capi
