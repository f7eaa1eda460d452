#pragma once

#include <cstdint>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cuda/cluster_records.hh"

namespace starhist::kernels::cuda {

/// The pairs of one frame in a launch, from a PairBlock.
struct KernelSlice {
  PositionSpan first;           ///< in device memory
  PositionSpan second;          ///< in device memory
  std::uint32_t row_begin = 0;  ///< rows [row_begin, row_end) of `first`
  std::uint32_t row_end = 0;
  bool like = false;  ///< pairs of one species: columns j > row i only
  /// Numbers of the first cluster of `first` and of `second` in ClusterWork::records;
  /// multiples of 32.
  std::uint32_t first_cluster = 0;
  std::uint32_t second_cluster = 0;
  /// Cost of the earlier slices of the launch for a blocked kernel, see PanelCost.
  std::uint64_t cost_before = 0;

  STARHIST_HOST_DEVICE std::uint32_t column_count() const {
    return static_cast<std::uint32_t>(second.count);
  }
  /// Number of the cluster of row row_begin, counted from first_cluster on.
  STARHIST_HOST_DEVICE std::uint32_t first_row_cluster() const {
    return row_begin / cluster_size;
  }
  STARHIST_HOST_DEVICE std::uint32_t row_clusters() const {
    return ClusterRecords::clusters_of(row_end) - first_row_cluster();
  }
  /// Number of work items if each is a cluster of rows and `supers` superclusters of
  /// columns.
  STARHIST_HOST_DEVICE std::uint64_t work_items(std::uint32_t supers) const {
    const std::uint32_t all = ClusterRecords::supers_of(second.count);
    return std::uint64_t{row_clusters()} * ((all + supers - 1U) / supers);
  }
  /// True if row i and column j are a pair of this slice, for i >= row_begin.
  STARHIST_HOST_DEVICE bool has_pair(std::uint32_t i, std::uint32_t j) const {
    return i < row_end && j < column_count() && (!like || j > i);
  }
  /// Number of the tile of columns in which the first partner of row `row` is.
  STARHIST_HOST_DEVICE std::uint32_t first_tile_column(
      std::uint32_t row, std::uint32_t tile_columns) const {
    return like ? (row + 1U) / tile_columns : 0U;
  }
  /// Number of tiles of columns with partners of row `row` and of later rows.
  STARHIST_HOST_DEVICE std::uint32_t tiles_beside(std::uint32_t row,
                                                  std::uint32_t tile_columns) const {
    const std::uint32_t all =
        column_count() / tile_columns + (column_count() % tile_columns != 0 ? 1U : 0U);
    const std::uint32_t before = first_tile_column(row, tile_columns);
    return before < all ? all - before : 0U;
  }
};

/// Maximum number of slices of a launch: enough for the small frames of a task.
inline constexpr std::uint32_t most_slices = 64;

/// Maximum number of columns of a work item of the blocked kernels: an entry of a
/// warp's queue numbers the looks in it (AmbiguousLooks).
inline constexpr std::uint32_t most_item_columns = 1U << 20U;

}  // namespace starhist::kernels::cuda
