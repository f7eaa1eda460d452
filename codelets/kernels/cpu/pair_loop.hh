#pragma once

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/error_bounds/near_images.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cpu {

/// Number of counters after the last bin. Out-of-range pairs of different SIMD lanes
/// use different ones, so that a run with a small r_max does not wait for a single
/// counter.
inline constexpr std::size_t out_of_range_entries = 32;

/// Boxes around clusters (clusters/cluster_boxes.hh), with ClusterBoxes::padding
/// entries after the last one.
struct BoxArrays {
  const std::int32_t* centre[3] = {};
  const std::uint32_t* half[3] = {};
  std::size_t count = 0;
};

/// Clusters of columns, and clusters of rows from block->row_begin on, for loops that
/// find the columns near each row.
struct NearColumns {
  static constexpr std::size_t columns_per_cluster = 16;
  static constexpr std::size_t rows_per_cluster = 16;
  std::size_t clusters_per_group = 0;
  std::size_t row_clusters_per_group = 0;
  BoxArrays clusters;
  BoxArrays groups;  ///< of clusters_per_group clusters
  BoxArrays rows;
  BoxArrays row_groups;
  /// ClusterDistance: parameters [squared bins times 2^-64], and the least squared
  /// distance out of range [squared bins], raised by the roundings of the test.
  float selling[6] = {};
  float out_of_range_r2 = 0.0F;
  std::uint32_t* near_groups = nullptr;  ///< memory of the loop, one entry per group
  std::uint64_t* evaluated = nullptr;    ///< set to the number of pairs evaluated
};

/// One rectangle (or, for like pairs, the part of it with j > i) of a PairBlock. Plain
/// pointers: no standard container is instantiated in the loops' object files.
struct PairLoop {
  const PairBlock* block = nullptr;
  /// Null: every pair goes to the defining function.
  const FixedLattice* lattice = nullptr;
  /// Replaces lattice->fast unless it is null.
  const DoubleMetric* fine = nullptr;
  Metric metric = Metric::isotropic;
  /// Images of all pairs of the rectangle; null: `metric` finds the image of each pair.
  const NearImages* images = nullptr;
  /// With images: positions relative to the centres of their clusters [bins]; particle
  /// i of block->first is local_row[axis][i - local_row_origin], particle j of
  /// block->second is local_column[axis][j].
  const double* local_row[3] = {};
  std::size_t local_row_origin = 0;
  const float* local_column[3] = {};
  /// Fixed-point coordinates: particle i of block->first is row[axis][i - row_origin],
  /// particle j of block->second is column[axis][j].
  const std::int32_t* row[3] = {};
  std::size_t row_origin = 0;
  const std::int32_t* column[3] = {};
  std::size_t row_begin = 0;  ///< indices of particles in block->first
  std::size_t row_end = 0;
  std::size_t column_begin = 0;  ///< indices of particles in block->second
  std::size_t column_end = 0;
  /// Unless null, rows of one group are counted with the columns near them in place of
  /// a rectangle. Pairs of other clusters, which are out of range, are not counted.
  /// Only with explicit edges, a lattice in single precision and a metric that does not
  /// search.
  const NearColumns* near = nullptr;
  /// Unless null, listed pairs are counted in place of a rectangle, by the defining
  /// function: particle listed_row[k] of block->first with particle listed_column[k] of
  /// block->second, k < listed_count.
  const std::uint32_t* listed_row = nullptr;
  const std::uint32_t* listed_column = nullptr;
  std::size_t listed_count = 0;
  /// bins.count + out_of_range_entries counters, and one more that is never read. The
  /// caller ensures that they receive fewer than 2^32 pairs.
  std::uint32_t* histogram = nullptr;
  /// Unless null, a rectangle is counted here, without images: one histogram of
  /// bins.count + 1 counters for each label of columns from first_label on.
  std::uint64_t* labelled = nullptr;
  const std::uint32_t* label = nullptr;  ///< of each particle of block->second
  std::uint32_t first_label = 0;         ///< smallest label of the columns
};

/// Counts the pairs of the rectangle, or of the list, into the histogram. Returns the
/// instruction set that it was compiled for: "avx512", "avx2", "neon" or "baseline".
using PairLoopFunction = const char* (*)(const PairLoop& loop);

// One loop source (pair_loop.inl.hh), compiled once per instruction set.
const char* pair_loop_baseline(const PairLoop& loop);
const char* pair_loop_avx2(const PairLoop& loop);
const char* pair_loop_avx512(const PairLoop& loop);
const char* pair_loop_neon(const PairLoop& loop);

}  // namespace starhist::kernels::cpu
