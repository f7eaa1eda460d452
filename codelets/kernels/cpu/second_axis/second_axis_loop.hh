#pragma once

#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::kernels::cpu {

/// Counts the pairs of PairLoop's rectangle by distance and second axis. Plain data, as
/// for PairLoop. second_axis_bounds.cc sets the constants and derives the bounds.
///
/// The displacement from row to column has the second position
///
///   component   |d . u| = |sum along_k q_k|
///   cosine      d . u / r + count / 2 = (sum along_k q_k) / r + count / 2
///
/// with the fixed-point difference q of row minus column, the distance r in bins, and
/// along_k = -u . edge[k].
struct SecondAxisLoop {
  PairLoop pairs;  ///< lattice is set; histogram: bins.count * second.count cells
  SecondBins second;
  /// Unit vectors of the particles of block->first; null: `direction`.
  const Vec3* directions = nullptr;
  Vec3 direction;
  /// Heights of the particles and the arguments of height_column(), if these define the
  /// second axis. The coordinates of axis 2 of `pairs`, the normal, are then heights,
  /// which the distance leaves out, and second.count includes the column beyond.
  Heights heights;
  std::uint32_t height_bins = 0;
  double limit = 0.0;
  /// Periodic edges, and long ones along open axes [2^-32 bins of the second axis; for
  /// cosines 2^-32 bins of the distance times count / 2].
  Vec3 edge[3];
  /// Error bound of a second position: error_abs + error_inverse / r.
  float error_abs = 0.0F;
  float error_inverse = 0.0F;
  /// From this fixed-point difference on, the defining function may choose another
  /// image along an edge.
  float most_difference = 0.0F;
  /// Least difference of the squares of two images at which the shorter one is certain
  /// [squared bins].
  float least_gap = 0.0F;
  /// Row i is not paired with column i; set for pairs of a species that are counted
  /// from each particle separately.
  bool without_same = false;
  /// A pair is counted from both of its particles: once in the histogram, whose cells
  /// are reflected later, but twice if it is ambiguous.
  bool reflected = false;
  std::uint64_t* counts = nullptr;  ///< of ambiguous pairs, by the defining function
  std::uint64_t decided = 0;        ///< number of ambiguous pairs
};

/// Sets second, edges and error bounds. pairs.block and pairs.lattice are set.
void set_second_axis(const SecondAxis& axis, SecondAxisLoop& loop);

/// Sets the same for heights in a planar box, after set_second_axis(): heights are
/// multiples of 2^-32 of `edge`, and their absolute values are at most `largest`.
void set_height_axis(const SecondAxis& axis, double edge, double largest,
                     SecondAxisLoop& loop);

/// Counts the rectangle. Adds certified pairs to the histogram and the other ones to
/// `counts`.
using SecondAxisLoopFunction = void (*)(SecondAxisLoop& loop);

// One loop source (second_axis_loop.inl.hh), compiled once per instruction set.
void second_axis_loop_baseline(SecondAxisLoop& loop);
void second_axis_loop_avx2(SecondAxisLoop& loop);
void second_axis_loop_avx512(SecondAxisLoop& loop);
void second_axis_loop_neon(SecondAxisLoop& loop);

/// The loop of selected_variant().
SecondAxisLoopFunction selected_second_axis_loop();

}  // namespace starhist::kernels::cpu
