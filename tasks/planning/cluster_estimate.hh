#pragma once

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist::tasks {

/// Of all workers that are to count, together.
struct CountingSpeeds {
  double any_order = 1e9;      ///< pairs per second
  double spatial_order = 1e9;  ///< the same in clusters, of all pairs
  bool by_gpus = false;        ///< they sort and count
  std::uint64_t workers = 1;   ///< or so many CPU workers do
};

/// What clusters would save on a frame.
struct ClusterEstimate {
  /// Time to count all pairs without clusters, over that with them.
  double speedup = 1.0;
  /// True if that saves more than bringing the particles into spatial order costs.
  bool worth_while = false;
};

ClusterEstimate estimate_clusters(const HistogramLayout& layout, const Frame& frame,
                                  const CountingSpeeds& speeds);

}  // namespace starhist::tasks
