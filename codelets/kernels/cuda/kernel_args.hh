#pragma once

#include <cstdint>

#include "codelets/kernels/clusters/image_steps.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cuda/cluster_records.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cuda {

/// The place of bin 0: the bits of 2^23, to which certificates add distances.
inline constexpr std::uint32_t first_candidate = 0x4b000000;

/// Vectors in bins are scaled by 2^-448 for the tensor cores, or
/// FastScale::coordinate_scale, a little more: squares then come out times 2^-896, and
/// the bits of the double, shifted left by three, begin with those of a float of the
/// same value.
inline constexpr double tensor_core_scale = 0x1p-448;

/// When a fast distance s, in bins, is certain: where it is at least
/// error_abs + error_rel * s away from every edge.
struct FilterBound {
  float error_rel = 0.0F;
  /// Half a bin less error_abs, and less half of error_rel: the middle of a bin stands
  /// for the distances in it.
  float margin = 0.5F;
};

/// Squared bins as whole numbers, for EdgeCertificate and QuantisedCertificate: up to
/// 2^30 steps are between an edge and what is a bin away, which leaves a bit for the
/// error.
struct QuantisedSquares {
  double step = 0.0;   ///< times tensor_core_scale^2
  double shift = 0.0;  ///< so much that a double beside it has steps in its last bits
  std::uint32_t per_square = 1;  ///< steps of a squared bin, a power of 2
  std::uint32_t error = 0;       ///< steps by which a squared distance may be off
  /// Of QuantisedCertificate: steps / 2^root_shift are squares, of 32 bits, of
  /// distances in `root_scale` bins. They are good for distances from root_start on,
  /// between clusters with radii of less than widest_clusters together that may have
  /// pairs in range.
  std::uint32_t root_shift = 0;
  float root_scale = 1.0F;
  float root_start = 0.0F;
  float widest_clusters = 0.0F;

  /// In which squares are all positive and have steps in their last bits.
  STARHIST_HOST_DEVICE double offset() const {
    return shift + step * static_cast<double>(error);
  }
};

/// A pair in a warp's queue of ambiguous pairs is a look at some columns of its work
/// item, of which there are at most so many, a lane and a bit.
inline constexpr std::uint32_t most_item_columns = 1U << 20U;

/// The pairs of one frame in a launch.
struct KernelSlice {
  PositionSpan first;
  PositionSpan second;
  std::uint32_t row_begin = 0;
  std::uint32_t row_end = 0;
  bool like = false;
  /// In KernelArgs::records.
  std::uint32_t first_cluster = 0;
  std::uint32_t second_cluster = 0;

  STARHIST_HOST_DEVICE std::uint32_t column_count() const {
    return static_cast<std::uint32_t>(second.count);
  }
  STARHIST_HOST_DEVICE std::uint32_t first_row_cluster() const {
    return row_begin / cluster_size;
  }
  STARHIST_HOST_DEVICE std::uint32_t row_clusters() const {
    return ClusterRecords::clusters_of(row_end) - first_row_cluster();
  }
  /// Units of work of a cluster of rows and so many superclusters of columns.
  STARHIST_HOST_DEVICE std::uint64_t work_items(std::uint32_t supers) const {
    const std::uint32_t all = ClusterRecords::supers_of(second.count);
    return std::uint64_t{row_clusters()} * ((all + supers - 1U) / supers);
  }
  /// Whether row i and column j are a pair of the part, for i >= row_begin.
  STARHIST_HOST_DEVICE bool has_pair(std::uint32_t i, std::uint32_t j) const {
    return i < row_end && j < column_count() && (!like || j > i);
  }
  /// Number of the cluster of the first partner of row `row`.
  STARHIST_HOST_DEVICE std::uint32_t first_tile_column(
      std::uint32_t row, std::uint32_t tile_columns) const {
    return like ? (row + 1U) / tile_columns : 0U;
  }
  /// Clusters that the partners of row `row` and of later rows are in.
  STARHIST_HOST_DEVICE std::uint32_t tiles_beside(std::uint32_t row,
                                                  std::uint32_t tile_columns) const {
    const std::uint32_t all =
        column_count() / tile_columns + (column_count() % tile_columns != 0 ? 1U : 0U);
    const std::uint32_t before = first_tile_column(row, tile_columns);
    return before < all ? all - before : 0U;
  }
};

/// Enough for the small frames of a task, which share a launch.
inline constexpr std::uint32_t most_slices = 64;

/// How counting optimistically has gone on a GPU.
struct OptimisticRecord {
  static constexpr std::uint32_t most = 6;

  /// Counts go to the totals 2^level times as often as they are to at first: one more
  /// each time when that was not enough.
  std::uint32_t level;

  STARHIST_HOST_DEVICE bool worth_while() const { return level < most; }
};

/// One launch: parts in boxes of the same shape, and the entries [window_begin,
/// window_end) of their counts, of which there are bins.count + 1.
struct KernelArgs {
  unsigned long long* counts = nullptr;
  unsigned long long* skipped_pairs = nullptr;  ///< those out of range with a cluster
  std::uint32_t window_begin = 0;
  std::uint32_t window_end = 0;
  float scale = 1.0F;     ///< bins per unit of the fast distance
  float farthest = 0.0F;  ///< fast distances beyond are as this: surely out of range
  FilterBound filter_bound;
  float orthogonal_edge[3] = {};                ///< in 2^-24 of the longest, rounded
  double coordinate_scale = tensor_core_scale;  ///< FastScale::coordinate_scale
  double inverse_coordinate_scale =
      1.0 / tensor_core_scale;  ///< a division less per image
  /// Bins per unit of the fast distance, if that was as wrong as can be.
  float scale_low = 1.0F;
  float scale_high = 1.0F;
  float certified_start = 0.0F;  ///< bins from which on scale_low and high are right
  QuantisedSquares quantised;
  Vec3 centre;  ///< of the positions, for open boxes
  /// Bins by which the distances of clusters may be wrong.
  double cluster_margin = 0.0;
  FixedLattice lattice;
  ImageSteps images;
  MinimumImage image;
  UniformBins bins;

  /// Of all parts; a work item is `tiles_per_item` that follow each other.
  std::uint64_t tiles = 0;
  std::uint32_t tiles_per_item = 1;
  /// Where particles are in spatial order: units of work of all parts, each for a warp.
  ClusterRecords records;
  std::uint64_t work_items = 0;
  std::uint32_t superclusters_per_work_item = 1;
  /// Bins: the pairs of clusters whose least distance is there are counted.
  float least_begin = 0.0F;
  float least_end = 0.0F;
  /// Where they are counted optimistically: a warp adds one of so many slices of the
  /// counts to the totals after flush_interval clusters; fewer slices where that was
  /// not often enough, but not less than the others.
  std::uint32_t flush_slices = 1;
  std::uint32_t min_flush_slices = 1;
  std::uint64_t work_item_step =
      1;  ///< unit n of that kernel is unit n * work_item_step
  OptimisticRecord* optimistic_record = nullptr;

  std::uint32_t slice_count = 0;
  KernelSlice slice[most_slices];
};
/// Since CUDA 12.1, on GPUs of compute capability 7.0 and newer.
static_assert(sizeof(KernelArgs) <= 32764);

}  // namespace starhist::kernels::cuda
