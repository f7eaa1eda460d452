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

/// Cost of preparing one particle's cluster in a GPU task, in evaluated pairs.
inline constexpr double gpu_cost_of_a_particle = 4000.0;

/// Cost of the pairs of two species in clusters, averaged over all their pairs.
struct ClusterCost {
  /// Share of the pairs in clusters that are near enough to be evaluated [0, 1]. The
  /// boxes of their clusters show that the others are out of range.
  double evaluated = 1.0;
  /// Estimated cost of a pair relative to an evaluated pair with one periodic image
  /// [dimensionless, > 0]: the evaluated pairs, more if several images are likely, the
  /// tests of boxes, and the preparation of each particle in a task.
  double work = 1.0;
};

/// Estimates the cost of clusters for particles spread evenly over the periodic cell,
/// or over the box around their positions if the cell is open.
class ClusterCostModel {
 public:
  /// Uses the box and volume of `frame`, for distances up to r_max in the frame's unit
  /// of length. Of an open frame it also reads about 65 000 positions per species.
  ClusterCostModel(const Frame& frame, double r_max);

  /// Switches to another frame of the same trajectory.
  void set_frame(const Frame& frame);

  /// Cost for two species, or one with itself, of `first` and `second` particles.
  /// `by_gpus`: in the clusters of GPU kernels, otherwise of CPU kernels. 1 without
  /// particles.
  ClusterCost of(std::size_t first, std::size_t second, bool by_gpus) const;
  /// Average cost over all pairs of a frame of the layout. 1 without pairs.
  ClusterCost of(const HistogramLayout& layout, const Frame& frame, bool by_gpus) const;
  /// Sets size.evaluated and size.evaluated_by_gpu [>= 1] from size.pairs and
  /// size.frame_count, for a task of species with `first` and `second` particles.
  /// `rows`: the task's rows if it counts a part of a like pair; `for_cpus`,
  /// `for_gpus`: false if no such worker may run it.
  void set_evaluated(perfmodels::PairKind kind, std::size_t first, std::size_t second,
                     perfmodels::WorkSize& size, std::optional<RowRange> rows = {},
                     bool for_cpus = true, bool for_gpus = true);
  /// Cuts rows of a like pair of `count` particles [> 1] into at most `parts` non-empty
  /// ranges that cost a GPU about equally much. Each has a pair.
  std::vector<RowRange> split_rows_for_gpus(RowRange rows, std::uint64_t count,
                                            std::uint64_t parts);

 private:
  /// Sizes of clusters and what counting them costs.
  struct Costs {
    std::size_t rows;     ///< particles per cluster of rows
    std::size_t columns;  ///< particles per cluster of columns
    double width;         ///< width of a cluster's box relative to that of a cube
    double look;          ///< cost of testing the boxes, per pair
    double images;        ///< exponent of the number of images in the cost
    double prepare;       ///< cost of preparing a particle's cluster, once per task
  };
  Costs costs_of(std::size_t columns, bool by_gpus) const;
  /// Edge of a cube of this volume, in a plane of a square of this area.
  double side_of(double volume) const;
  /// Half the sum of the widths of a cluster of rows and one of columns.
  double width_of(const Costs& costs, std::size_t first, std::size_t second) const;
  const NearPairsByRow& near_pairs_by_row(std::size_t count, bool by_gpus);
  double near_pairs(const RowRange& rows, std::size_t count, bool by_gpus);

  /// Near pairs by row of `count` particles in a volume.
  struct KnownRows {
    std::size_t count = 0;
    double volume = 0.0;
    bool by_gpus = false;
    NearPairsByRow near_pairs;
  };

  double r_max_;
  bool far_ = false;     ///< triclinic, r_max beyond the rounding radius
  double volume_ = 0.0;  ///< area of a planar box
  bool periodic_ = false;
  bool planar_ = false;
  MinimumImage image_;
  kernels::Bounds bounds_;             ///< of a frame with an open axis
  std::vector<KnownRows> known_rows_;  ///< also of earlier frames
};

}  // namespace starhist::tasks
