#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/kernels/bounds.hh"
#include "perfmodels/work_class.hh"
#include "tasks/planning/near_pairs_by_row.hh"
#include "tasks/planning/row_split.hh"

namespace starhist::tasks {

/// What a task of a GPU does for each particle, in evaluated pairs: its cluster.
inline constexpr double gpu_cost_of_a_particle = 4000.0;

/// Cost of the pairs of two species in clusters, on average over all their pairs.
struct ClusterCost {
  /// Share of the pairs in clusters near enough to be evaluated [0, 1]. The others are
  /// known to be out of range from the boxes of their clusters.
  double evaluated = 1.0;
  /// Estimated cost of a pair relative to an evaluated pair with one periodic image
  /// [dimensionless, > 0]: the evaluated ones, more where several images are likely,
  /// the look at the boxes, and what a task does for each particle.
  double work = 1.0;
};

/// Estimates the cost of clusters for particles spread evenly over the periodic cell,
/// or over the box around their positions where the cell is open.
class ClusterCostModel {
 public:
  /// Of the box and volume of `frame`, for distances up to r_max in the frame's unit of
  /// length. Of an open frame some positions are looked at, about 65 000 per species.
  ClusterCostModel(const Frame& frame, double r_max);

  /// Goes on with another frame of the same trajectory.
  void set_frame(const Frame& frame);

  /// For two species, or the same twice, with `first` and `second` particles.
  /// `by_gpus`: in the clusters of GPU kernels, else of CPU kernels. Cost 1 without
  /// particles.
  ClusterCost of(std::size_t first, std::size_t second, bool by_gpus) const;
  /// On average over all pairs of a frame of the layout. Cost 1 without pairs.
  ClusterCost of(const HistogramLayout& layout, const Frame& frame, bool by_gpus) const;
  /// Sets size.evaluated and size.evaluated_by_gpu, which are at least 1, from
  /// size.pairs and size.frame_count of a task of such a pair of species with `first`
  /// and `second` particles. `rows`: those that the task counts, where they are a part
  /// of a like pair.
  void set_evaluated(perfmodels::PairKind kind, std::size_t first, std::size_t second,
                     perfmodels::WorkSize& size, std::optional<RowRange> rows = {});

 private:
  /// Sizes of clusters and what counting them costs.
  struct Costs {
    std::size_t rows;     ///< particles of a cluster of rows
    std::size_t columns;  ///< of columns
    double width;         ///< of a cluster's box, relative to that of a cube
    double look;          ///< cost of looking at the boxes, per pair
    double images;        ///< the cost grows with this power of the number of images
    double prepare;       ///< cost of the cluster of a particle, once for each task
  };
  Costs costs_of(std::size_t columns, bool by_gpus) const;
  /// Half the sum of the widths of a cluster of rows and one of columns.
  double width_of(const Costs& costs, std::size_t first, std::size_t second) const;
  const NearPairsByRow& near_pairs_by_row(std::size_t count);
  double near_pairs(const RowRange& rows, std::size_t count);

  /// Of `count` particles in a volume.
  struct KnownRows {
    std::size_t count = 0;
    double volume = 0.0;
    NearPairsByRow near_pairs;
  };

  double r_max_;
  perfmodels::Geometry geometry_{};
  double volume_ = 0.0;
  bool periodic_ = false;
  MinimumImage image_;
  kernels::Bounds bounds_;             ///< of an open frame
  std::vector<KnownRows> known_rows_;  ///< also of frames before
};

}  // namespace starhist::tasks
