// The fast distances of the loop over pairs. Included by pair_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"
#include "codelets/kernels/fixed_point/fast_distance.hh"

namespace starhist::kernels::cpu {
namespace {

/// First column of the rectangle that counts with row i.
inline std::size_t first_column(const PairLoop& loop, std::size_t i) {
  return loop.block->like && loop.column_begin <= i ? i + 1 : loop.column_begin;
}

/// The edge test: a pair at distance r is ambiguous if |r^2 - k^2| is below
/// limit_of_squares(k), k the nearest edge [bins]. docs/explanation/certified-counts.md
/// derives it ("The edge test").
template <class Ops>
struct EdgeAmbiguity {
  using Floats = typename Ops::Floats;
  using Real = typename Ops::Real;

  Floats twice_rel;
  Floats twice_abs;

  /// Relative error of k^2, which is rounded if multiply_add is not fused.
  static constexpr Real of_product = fused ? 0 : Ops::unit_roundoff;

  /// r is off by at most error_rel * r + error_abs < 0.4 [bins].
  EdgeAmbiguity(Real error_rel, Real error_abs)
      : twice_rel(Ops::broadcast(static_cast<Real>(2.002) * (error_rel + of_product))),
        twice_abs(Ops::broadcast(static_cast<Real>(2.002) *
                                 (error_abs * (1 + error_abs / 2) + 2 * error_rel))) {}

  /// At least 2 k e + e^2 for the error bound e of r [squared bins]; 0 for k = 0, which
  /// is not an edge.
  Floats limit_of_squares(Floats k) const {
    return k * Ops::multiply_add(k, twice_rel, twice_abs);
  }
};

/// MetricConstants, each in all lanes of Ops_, Simd or DoubleSimd.
template <class Ops_>
struct WideMetric {
  using Ops = Ops_;
  using Floats = typename Ops::Floats;
  using Real = typename Ops::Real;

  Floats row[6];
  Floats minus_twice_row[6];
  Floats facet_norm2[6];
  Floats search_error_norm2;
  Floats search_error_r2;
  EdgeAmbiguity<Ops> edge_ambiguity;
  /// Distances are cut off here: in the middle of the out-of-range entry of each lane.
  Floats clamp;
  typename Ops::Ints scrap;  ///< entry for ambiguous pairs

  /// `error_rel` applies to distances before the root is rounded, as EdgeAmbiguity
  /// requires. `labelled`: all lanes and ambiguous pairs have the entry bin_count.
  WideMetric(const MetricConstants<Real>& fast, Real error_rel, std::uint32_t bin_count,
             bool labelled)
      : search_error_norm2(Ops::broadcast(fast.search_error_norm2)),
        search_error_r2(Ops::broadcast(fast.search_error_r2)),
        edge_ambiguity(error_rel, fast.error_abs),
        clamp(
            Ops::broadcast(static_cast<Real>(bin_count)) +
            (labelled ? Ops::broadcast(static_cast<Real>(0.5)) : Ops::lane_centres())),
        scrap(Ops::broadcast(static_cast<std::int32_t>(
            bin_count + (labelled ? 0 : out_of_range_entries)))) {
    for (int k = 0; k < 6; ++k) {
      row[k] = Ops::broadcast(fast.row[k]);
      minus_twice_row[k] = Ops::broadcast(fast.minus_twice_row[k]);
      facet_norm2[k] = Ops::broadcast(fast.facet_norm2[k]);
    }
  }
};

/// The metric of the loop in single or double precision; the argument only selects.
inline const FastMetric& constants_of(const PairLoop& loop, float) {
  return loop.lattice->fast;
}
inline const DoubleMetric& constants_of(const PairLoop& loop, double) {
  return *loop.fine;
}

/// Distances of a vector of pairs, and the edge test.
template <class Floats>
struct Distance {
  Floats value;   ///< [bins]; at most WideMetric::clamp
  Floats beyond;  ///< |r^2 - k^2| for the nearest edge k [squared bins]
  Floats limit;   ///< the pair is ambiguous if `beyond` is less [squared bins]
};

/// Distances for which the image of each pair is found separately, according to
/// `metric`.
template <Metric metric, class Ops>
struct AnyImage : WideMetric<Ops> {
  using Wide = WideMetric<Ops>;
  using typename Wide::Floats;
  using typename Wide::Real;

  explicit AnyImage(const PairLoop& loop)
      : Wide(constants_of(loop, Real{}), error_rel(loop, Real{}),
             loop.block->bins->count, loop.labelled != nullptr),
        squared_scale(Ops::broadcast(scale(loop, Real{}))) {}

  /// Isotropic: factor from squared fixed-point displacements to squared bins.
  static double scale(const PairLoop& loop, double /*real*/) {
    return loop.fine->row[0] * loop.fine->row[0];
  }
  static float scale(const PairLoop& loop, float /*real*/) {
    const double row = 0x1p-32 * loop.lattice->rows[0];
    return static_cast<float>(row * row);
  }

  /// MetricConstants::error_rel minus two roundings that the edge test does not have:
  /// of the root, and of the distance raised by its error.
  static double error_rel(const PairLoop& loop, double /*real*/) {
    return loop.fine->error_rel - 2 * Ops::unit_roundoff;
  }
  /// With the actual rounding errors of the scales in place of their bound of one unit
  /// roundoff.
  static float error_rel(const PairLoop& loop, float /*real*/) {
    constexpr double unit = Ops::unit_roundoff;
    double error = static_cast<double>(loop.lattice->fast.error_rel) - 2.0 * unit;
    if constexpr (metric == Metric::isotropic) {
      const double row = 0x1p-32 * loop.lattice->rows[0];
      const double off =
          (static_cast<double>(scale(loop, 0.0F)) - row * row) / (row * row);
      // error_rel has two roundings for the scale and its product. Here both are those
      // of the square, which count half.
      error += 0.5 * (off < 0.0 ? -off : off) + 0.5 * unit - 2.0 * unit;
    }
    if constexpr (metric == Metric::diagonal) {
      double rounding = 0.0;
      constexpr int diagonal[] = {0, 2, 5};
      for (const int k : diagonal) {
        const double exact = 0x1p-32 * loop.lattice->rows[k];
        const double off =
            (static_cast<double>(loop.lattice->fast.row[k]) - exact) / exact;
        rounding = off > rounding ? off : -off > rounding ? -off : rounding;
      }
      error += rounding - unit;
    }
    return static_cast<float>(1.0001 * error);
  }

  static constexpr bool between_edges = true;  ///< has square()
  static constexpr bool searches = metric == Metric::searched;
  static Real relative_error(const PairLoop& loop) { return error_rel(loop, Real{}); }
  static Real absolute_error(const PairLoop& loop) {
    return constants_of(loop, Real{}).error_abs;
  }

  /// The coordinates of one particle, in all lanes.
  struct Row {
    typename Ops::Ints at[3];

    Row(const AnyImage& /*measure*/, const PairLoop& loop, std::size_t i) {
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = Ops::broadcast(loop.row[axis][i - loop.row_origin]);
      }
    }
  };

  /// Unit of unscaled_square() [squared bins].
  static double unit_of_squares(const PairLoop& loop) {
    const double row = 0x1p-32 * loop.lattice->rows[0];
    return metric == Metric::isotropic ? row * row : 1.0;
  }

  /// Squared distances [squared bins] and the error bound of the image search.
  FastDistance<Floats> square(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    auto fast = unscaled_square(loop, a, column);
    if constexpr (metric == Metric::isotropic) {
      fast.r2 = fast.r2 * squared_scale;
    }
    return fast;
  }
  /// square() in a unit that saves a product.
  FastDistance<Floats> unscaled_square(const PairLoop& loop, const Row& a,
                                       std::size_t column) const {
    const auto to_column = [&](int axis) {
      return Ops::to_floats(
          Ops::wrapped_difference(a.at[axis], Ops::load(loop.column[axis] + column)));
    };
    return fast_distance<metric, Ops>(*this, to_column(0), to_column(1), to_column(2));
  }

  Distance<Floats> operator()(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    const auto fast = square(loop, a, column);
    const Floats r2 = fast.r2;
    const Floats value = Ops::smaller(Ops::root(r2), this->clamp);
    const Floats edge = Ops::nearest(value);
    Floats limit = this->edge_ambiguity.limit_of_squares(edge);
    if constexpr (metric == Metric::searched) {
      limit = limit + fast.search_error_r2;
    }
    return {value, Ops::magnitude(Ops::multiply_add(-edge, edge, r2)), limit};
  }

  Floats squared_scale;
};

}  // namespace
}  // namespace starhist::kernels::cpu
