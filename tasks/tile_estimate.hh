#pragma once

#include "codelets/core/frame.hh"
#include "codelets/core/histogram.hh"

namespace starhist {

/// What tiles would save on a frame.
struct TileEstimate {
  /// Share of the pairs that are near enough to be evaluated; the others are out of
  /// range tile by tile.
  double evaluated_share = 1.0;
  /// Time to count all pairs without tiles, over that with them.
  double speedup = 1.0;
  /// True if that saves more than bringing the particles into spatial order costs.
  bool worth_while = false;
};

/// For particles spread evenly over the cell, or over their bounds where that is open.
/// GPUs sort and count if there are any; `gpu_speed` is that of all, in pairs per
/// second.
TileEstimate estimate_tiles(const HistogramLayout& layout, const Frame& frame,
                            std::uint64_t workers, double gpu_speed);

}  // namespace starhist
