#pragma once

#include "codelets/core/frame.hh"
#include "codelets/core/histogram.hh"

namespace starhist {

/// What tiles would save on a frame.
struct TileEstimate {
  /// Share of the pairs that are near enough to be evaluated; the others are out of
  /// range tile by tile.
  double evaluated_share = 1.0;
  /// True if that saves more than bringing the particles into spatial order costs.
  bool worth_while = false;
};

/// For particles spread evenly over the cell, or over their bounds where that is open.
TileEstimate estimate_tiles(const HistogramLayout& layout, const Frame& frame);

}  // namespace starhist
