// Search for the clusters of columns within range of a row. Included by
// edge_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Compares one box with vectors of others, by the lower bound of distances that
/// clusters/cluster_distance.hh derives, in single precision.
struct BoxTest {
  using Floats = Simd::Floats;
  using Ints = Simd::Ints;

  Ints centre[3];
  Floats half[3];
  Floats selling[6];
  Floats limit;
  bool skewed;

  explicit BoxTest(const NearColumns& near)
      : limit(Simd::broadcast(near.out_of_range_r2)),
        skewed(near.selling[3] + near.selling[4] + near.selling[5] > 0.0F) {
    for (int k = 0; k < 6; ++k) {
      selling[k] = Simd::broadcast(near.selling[k]);
    }
  }

  void set(int axis, std::int32_t middle, std::uint32_t extent) {
    // The roundings of coordinates below 2^32 to floats, and of their sums.
    constexpr float error = 1024.0F;
    centre[axis] = Simd::broadcast(middle);
    half[axis] = Simd::broadcast(static_cast<float>(extent) + error);
  }

  /// Lanes of boxes that are not out of range, one bit each.
  unsigned near_bits(const Ints (&other)[3], const Floats (&other_half)[3]) const {
    Ints d[3];
    Floats reach[3];
    Floats r2{};
    for (int k = 0; k < 3; ++k) {
      d[k] = Simd::wrapped_difference(centre[k], other[k]);
      reach[k] = half[k] + other_half[k];
      r2 = add_square(r2, selling[k], d[k], reach[k]);
    }
    if (skewed) {
      constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
      for (int k = 0; k < 3; ++k) {
        const int i = pairs[k][0];
        const int j = pairs[k][1];
        r2 = add_square(r2, selling[3 + k], Simd::wrapped_difference(d[i], d[j]),
                        reach[i] + reach[j]);
      }
    }
    return Simd::less_bits(r2, limit);
  }

 private:
  /// sum + factor * (|d| - reach)^2, without the square if reach is larger.
  static Floats add_square(Floats sum, Floats factor, Ints d, Floats reach) {
    const Floats gap =
        Simd::smaller(reach - Simd::magnitude(Simd::to_floats(d)), Floats{});
    return Simd::multiply_add(factor * gap, gap, sum);
  }
};

/// Finds the clusters of columns near clusters of rows, and the rows near each of them.
class NearSearch {
 public:
  using Floats = Simd::Floats;
  using Ints = Simd::Ints;

  /// Lists the groups of clusters near the rows of `loop`.
  explicit NearSearch(const PairLoop& loop)
      : loop_(loop), near_(*loop.near), clusters_(near_), rows_(near_) {
    const std::size_t rows = loop.row_begin - loop.block->row_begin;
    set(clusters_, near_.row_groups,
        rows / (NearColumns::rows_per_cluster * near_.row_clusters_per_group));
    const std::size_t columns_per_group =
        near_.clusters_per_group * NearColumns::columns_per_cluster;
    const BoxArrays& groups = near_.groups;
    for (std::size_t t = loop.block->like ? (loop.row_begin + 1) / columns_per_group
                                          : 0;
         t < groups.count; t += Simd::width) {
      for (unsigned bits = near_bits(groups, t, groups.count); bits != 0;
           bits &= bits - 1U) {
        near_.near_groups[groups_++] =
            static_cast<std::uint32_t>(t + static_cast<unsigned>(__builtin_ctz(bits)));
      }
    }
  }

  /// Calls visit(first column, rows) for each cluster of columns near the cluster of
  /// rows that begins at row `begin`. Bit k of `rows` is set if row begin + k is near.
  template <class Visit>
  [[gnu::always_inline]] inline void visit_clusters(std::size_t begin, Visit visit) {
    set(clusters_, near_.rows,
        (begin - loop_.block->row_begin) / NearColumns::rows_per_cluster);
    const std::size_t first =
        loop_.block->like ? (begin + 1) / NearColumns::columns_per_cluster : 0;
    for (std::size_t g = 0; g < groups_; ++g) {
      const std::size_t from = near_.near_groups[g] * near_.clusters_per_group;
      const std::size_t to = from + near_.clusters_per_group;
      const std::size_t end = to < near_.clusters.count ? to : near_.clusters.count;
      for (std::size_t t = from > first ? from : first; t < end; t += Simd::width) {
        for (unsigned bits = near_bits(near_.clusters, t, end); bits != 0;
             bits &= bits - 1U) {
          const std::size_t cluster = t + static_cast<unsigned>(__builtin_ctz(bits));
          visit(cluster * NearColumns::columns_per_cluster, near_rows(begin, cluster));
        }
      }
    }
  }

 private:
  static void set(BoxTest& test, const BoxArrays& boxes, std::size_t box) {
    for (int axis = 0; axis < 3; ++axis) {
      test.set(axis, boxes.centre[axis][box], boxes.half[axis][box]);
    }
  }

  /// Boxes t, t + 1, ... before `end` near the cluster of rows, one bit each.
  unsigned near_bits(const BoxArrays& boxes, std::size_t t, std::size_t end) const {
    Ints centre[3];
    Floats half[3];
    for (int axis = 0; axis < 3; ++axis) {
      centre[axis] = Simd::load(boxes.centre[axis] + t);
      half[axis] = half_widths(boxes.half[axis] + t);
    }
    return clusters_.near_bits(centre, half) & Simd::first_bits(end - t);
  }

  /// Rows from `begin` on near a cluster of columns, one bit each.
  std::uint32_t near_rows(std::size_t begin, std::size_t cluster) {
    set(rows_, near_.clusters, cluster);
    const Floats none[3] = {};
    const std::size_t left = loop_.row_end - begin;
    std::uint32_t rows = 0;
    for (std::size_t k = 0; k < NearColumns::rows_per_cluster; k += Simd::width) {
      Ints at[3];
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = Simd::load(loop_.row[axis] + (begin + k - loop_.row_origin));
      }
      rows |= rows_.near_bits(at, none) << k;
    }
    return left < NearColumns::rows_per_cluster ? rows & ((1U << left) - 1U) : rows;
  }

  /// Numbers up to 2^31 as floats, off by at most 1 before the rounding.
  static Floats half_widths(const std::uint32_t* from) {
    Simd::Unsigned halves;
    __builtin_memcpy(&halves, from, sizeof(halves));
    return 2.0F * Simd::to_floats(reinterpret_cast<Ints>(halves >> 1));
  }

  const PairLoop& loop_;
  const NearColumns& near_;
  BoxTest clusters_;  ///< of a group or cluster of rows, with clusters of columns
  BoxTest rows_;      ///< of a cluster of columns, with rows
  std::size_t groups_ = 0;
};

/// Number of pairs of the rows begin + k, for each bit k of `rows`, with the cluster of
/// columns from `column` on.
inline std::size_t pairs_of_cluster(const PairLoop& loop, std::size_t begin,
                                    std::uint32_t rows, std::size_t column) {
  const std::size_t last = column + NearColumns::columns_per_cluster;
  const std::size_t end =
      last < loop.block->second.count ? last : loop.block->second.count;
  if (!loop.block->like || column >= begin + NearColumns::rows_per_cluster) {
    return static_cast<std::size_t>(__builtin_popcount(rows)) * (end - column);
  }
  std::size_t pairs = 0;
  for (std::uint32_t bits = rows; bits != 0; bits &= bits - 1U) {
    const std::size_t i = begin + static_cast<unsigned>(__builtin_ctz(bits));
    const std::size_t from = column <= i ? i + 1 : column;
    pairs += from < end ? end - from : 0;
  }
  return pairs;
}

}  // namespace
}  // namespace starhist::kernels::cpu
