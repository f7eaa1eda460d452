#pragma once

namespace starhist::kernels {

/// How the loop converts a displacement in fixed point to a squared distance.
enum class Metric {
  isotropic,   ///< one scale for all axes: open and cubic boxes
  diagonal,    ///< one scale per axis: orthorhombic boxes
  triangular,  ///< triclinic, r_max below the rounding radius: no image search
  searched,    ///< triclinic, r_max beyond it
};

/// Constants of the fast distance, in units of a bin. Plain data for the loops.
///
/// A position is its fractional coordinates in the reduced lattice, times 2^32, as
/// 32-bit integers. Their differences wrap around implicitly. That is the rounding step
/// of the minimum image, without an error and at no cost. Axes without periodicity get
/// an edge of more than twice the extent of the positions, so that they never wrap.
template <class Real>
struct MetricConstants {
  /// Lower triangle of the reduced lattice, rows b1, b2, b3 in a rotated frame, scaled
  /// by 2^-32: xx, yx, yy, zx, zy, zz. Isotropic and diagonal use xx, yy, zz.
  Real row[6];
  /// `row` times -2^33: -2 b_i, for the image search.
  Real minus_twice_row[6];
  /// |b_S|^2 in squared bins, of b1, b2, b3, b1+b2, b1+b3, b2+b3.
  Real facet_norm2[6];
  /// Error bound of the fast distance s [bins]: |s - defining distance| <= error_rel *
  /// s + error_abs, plus e / (2 s) if the image search may have moved the displacement,
  /// that is, if the gain of its best facet is computed to be less than e. For a
  /// displacement d after the rounding step, e = search_error_norm2 * |d|^2 +
  /// search_error_r2 [squared bins].
  Real error_rel;
  Real error_abs;
  Real search_error_norm2;
  Real search_error_r2;
};

using FastMetric = MetricConstants<float>;
using DoubleMetric = MetricConstants<double>;

}  // namespace starhist::kernels
