#pragma once

#include <cstddef>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "perfmodels/work_class.hh"

namespace starhist::tasks {

/// What becomes of the pairs of two species in clusters, for each pair.
struct ClusterCost {
  /// Share of the pairs that are near enough to be evaluated; the others are out of
  /// range cluster by cluster.
  double evaluated = 1.0;
  /// What the time goes by: that share, where pairs of clusters count more if they are
  /// likely to need several lattice vectors, and a little for all, to look at their
  /// clusters.
  double work = 1.0;
};

/// For species spread evenly over the cell of a frame, or over their bounds where it is
/// open. `by_gpus`: in clusters as GPUs have them.
class ClusterCostModel {
 public:
  ClusterCostModel(const Frame& frame, double r_max);

  /// Of species with so many particles.
  ClusterCost of(std::size_t first, std::size_t second, bool by_gpus) const;
  /// Of all pairs of a frame, on average.
  ClusterCost of(const HistogramLayout& layout, const Frame& frame, bool by_gpus) const;
  /// What is evaluated of the pairs of a task with such species.
  void set_evaluated(std::size_t first, std::size_t second,
                     perfmodels::WorkSize& size) const;

 private:
  /// Sizes of clusters and what counting them costs.
  struct Costs {
    std::size_t rows;
    std::size_t columns;
    double width;   ///< of a cluster's box, relative to a cube's
    double look;    ///< work for each pair
    double images;  ///< work grows with so many powers of lattice vectors
  };
  Costs costs_of(std::size_t columns, bool by_gpus) const;

  perfmodels::Geometry geometry_;
  double r_max_;
  double volume_;
  bool periodic_;
};

}  // namespace starhist::tasks
