#pragma once

#include <cstddef>
#include <cstdint>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/clusters/image_steps.hh"
#include "codelets/kernels/cuda/cluster_records.hh"
#include "codelets/kernels/cuda/distance_filter.hh"
#include "codelets/kernels/cuda/kernel_slice.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cuda {

/// Destination of a launch's counts, and the entries that it counts. One sweep over the
/// pairs counts the entries that fit into shared memory.
struct CountOutput {
  unsigned long long* counts = nullptr;  ///< bins.count + 1 entries, in device memory
  /// Number of pairs that were out of range cluster by cluster; in device memory.
  unsigned long long* skipped_pairs = nullptr;
  std::uint32_t window_begin = 0;  ///< first entry of `counts` of this sweep
  std::uint32_t window_end = 0;    ///< one past its last entry [<= bins.count + 1]
};

/// The common box of a launch's slices, in the forms that kernels use.
struct BoxGeometry {
  /// Centre of all positions; subtracted from those in open boxes [unit of positions].
  Vec3 centre;
  double cluster_margin = 0.0;  ///< error bound of distances between clusters [bins]
  FixedLattice lattice;         ///< for the fixed-point metric
  ImageSteps images;            ///< images that pairs of clusters may need
  MinimumImage image;           ///< for the defining function
};

/// Work of the blocked kernels, which take particles in any order.
struct BlockedWork {
  std::uint64_t cost = 0;  ///< of all panels of all slices, in PanelCost's unit
  std::uint64_t cost_per_item = 1;  ///< of a work item: consecutive tiles [>= 1]
};

/// Work of the cluster kernels, which take particles in spatial order. A work item is a
/// cluster of rows with some superclusters of columns, for one warp.
struct ClusterWork {
  ClusterRecords records;        ///< of all slices, in scratch memory of the device
  std::uint64_t work_items = 0;  ///< of all slices
  std::uint32_t superclusters_per_work_item = 1;  ///< [1, 32]
  /// A sweep counts the pairs of clusters whose least possible distance is in
  /// [least_begin, least_end) [bins].
  float least_begin = 0.0F;
  float least_end = 0.0F;
};

/// History of a device's optimistic launches; in device memory.
struct OptimisticRecord {
  static constexpr std::uint32_t most = 6;

  /// Number of launches that overflowed [0, most]. The counts are added to the totals
  /// 2^level times as often as flush_slices specifies.
  std::uint32_t level;

  /// False: optimistic counting has overflowed too often and is skipped.
  STARHIST_HOST_DEVICE bool worth_while() const { return level < most; }
};

/// Optimistic counting: 8-bit counters in shared memory that are added to 32-bit totals
/// so often that they should not overflow. A launch with an overflow is counted again.
struct OptimisticCounting {
  /// Number of slices of the histogram [1, 512]. After flush_interval pairs of clusters
  /// a warp adds one slice to the totals. Halved for each level of the record, down to
  /// min_flush_slices.
  std::uint32_t flush_slices = 1;
  std::uint32_t min_flush_slices = 1;  ///< fewer would let a total overflow
  /// Work item n of this kernel is item n * work_item_step modulo their number, so that
  /// near ones are not counted at the same time. Coprime to that number.
  std::uint64_t work_item_step = 1;
  OptimisticRecord* record = nullptr;
};

/// Arguments of a launch: slices in boxes of the same shape, with the same bins. Passed
/// by value, in constant memory.
struct KernelArgs {
  CountOutput output;
  DistanceFilter filter;
  BoxGeometry geometry;
  BinScale bins;
  BlockedWork blocked_work;
  ClusterWork cluster_work;
  OptimisticCounting optimistic;
  std::uint32_t slice_count = 0;  ///< [1, most_slices]
  KernelSlice slice[most_slices];
  /// centred_kernel(): shift between the two halves of the lattice, along the edges of
  /// its OrthogonalSublattice; 0 or half of DistanceFilter::orthogonal_edge.
  float centre[3] = {};
};

// Kernels read the arguments at fixed offsets: these keep the machine code that the
// benchmarks measured.
static_assert(offsetof(KernelArgs, filter) == 24);
static_assert(offsetof(KernelArgs, geometry) == 128);
static_assert(offsetof(KernelArgs, bins) == 992);
static_assert(offsetof(KernelArgs, blocked_work) == 1016);
static_assert(offsetof(KernelArgs, cluster_work) == 1032);
static_assert(offsetof(KernelArgs, optimistic) == 1112);
static_assert(offsetof(KernelArgs, slice_count) == 1136);
static_assert(offsetof(KernelArgs, slice) == 1144);
static_assert(sizeof(KernelSlice) == 64);
/// Limit since CUDA 12.1, on GPUs of compute capability 7.0 and newer.
static_assert(sizeof(KernelArgs) <= 32764);

}  // namespace starhist::kernels::cuda
