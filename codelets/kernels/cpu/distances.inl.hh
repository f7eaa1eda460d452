// The fast distances of the loop over pairs; part of pair_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"
#include "codelets/kernels/fixed_point/fast_distance.hh"

namespace starhist::kernels::cpu {
namespace {

/// How near to an edge, k bins from zero, the bin of a distance r is ambiguous.
template <class Ops>
struct EdgeAmbiguity {
  using Floats = typename Ops::Floats;
  using Real = typename Ops::Real;

  Floats twice_rel;
  Floats twice_abs;

  /// Of k^2, where that is rounded before it is taken off.
  static constexpr Real of_product = fused ? 0 : Ops::unit_roundoff;

  /// `r` is off by no more than error_rel * r + error_abs < 0.4.
  EdgeAmbiguity(Real error_rel, Real error_abs)
      : twice_rel(Ops::broadcast(static_cast<Real>(2.002) * (error_rel + of_product))),
        twice_abs(Ops::broadcast(static_cast<Real>(2.002) *
                                 (error_abs * (1 + error_abs / 2) + 2 * error_rel))) {}

  /// For |r^2 - k^2|: 2 k e + e^2, and e^2 <= k error_abs^2 + ... An edge at 0 is none.
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
  Floats clamp;  ///< beyond the last bin, one place per lane, never near an edge
  typename Ops::Ints scrap;  ///< where ambiguous pairs are counted at first

  /// `error_rel` is that of distances of which the roots are not rounded, see
  /// EdgeAmbiguity.
  WideMetric(const MetricConstants<Real>& fast, Real error_rel, std::uint32_t bin_count)
      : search_error_norm2(Ops::broadcast(fast.search_error_norm2)),
        search_error_r2(Ops::broadcast(fast.search_error_r2)),
        edge_ambiguity(error_rel, fast.error_abs),
        clamp(Ops::broadcast(static_cast<Real>(bin_count)) + Ops::lane_centres()),
        scrap(Ops::broadcast(
            static_cast<std::int32_t>(bin_count + out_of_range_entries))) {
    for (int k = 0; k < 6; ++k) {
      row[k] = Ops::broadcast(fast.row[k]);
      minus_twice_row[k] = Ops::broadcast(fast.minus_twice_row[k]);
      facet_norm2[k] = Ops::broadcast(fast.facet_norm2[k]);
    }
  }
};

inline const FastMetric& constants_of(const PairLoop& loop, float) {
  return loop.lattice->fast;
}
inline const DoubleMetric& constants_of(const PairLoop& loop, double) {
  return *loop.fine;
}

/// A distance in bins, and what is known of its bin.
template <class Floats>
struct Distance {
  Floats value;   ///< beyond the last bin in one place per lane, never near an edge
  Floats beyond;  ///< how far from the nearest edge, in any measure
  Floats limit;   ///< nearer, its bin is ambiguous
};

/// Each pair's image is found by itself, as `metric` says.
template <Metric metric, class Ops>
struct AnyImage : WideMetric<Ops> {
  using Wide = WideMetric<Ops>;
  using typename Wide::Floats;
  using typename Wide::Real;

  explicit AnyImage(const PairLoop& loop)
      : Wide(constants_of(loop, Real{}), error_rel(loop, Real{}),
             loop.block->bins->count),
        squared_scale(Ops::broadcast(scale(loop, Real{}))) {}

  /// Isotropic: squared bins in the unit of its squared distances.
  static double scale(const PairLoop& loop, double /*real*/) {
    return loop.fine->row[0] * loop.fine->row[0];
  }
  static float scale(const PairLoop& loop, float /*real*/) {
    const double row = 0x1p-32 * loop.lattice->rows[0];
    return static_cast<float>(row * row);
  }

  /// Neither the root nor the distance raised by its error is rounded.
  static double error_rel(const PairLoop& loop, double /*real*/) {
    return loop.fine->error_rel - 2 * Ops::unit_roundoff;
  }
  /// Here the rounding of the scales is known, too: instead of a whole unit it counts
  /// as much as it is.
  static float error_rel(const PairLoop& loop, float /*real*/) {
    constexpr double unit = Ops::unit_roundoff;
    double error = static_cast<double>(loop.lattice->fast.error_rel) - 2.0 * unit;
    if constexpr (metric == Metric::isotropic) {
      const double row = 0x1p-32 * loop.lattice->rows[0];
      const double off =
          (static_cast<double>(scale(loop, 0.0F)) - row * row) / (row * row);
      // Not a scale and its product, but half of what these are for squares.
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

  /// The coordinates of one particle, in all lanes.
  struct Row {
    typename Ops::Ints at[3];

    Row(const AnyImage& /*measure*/, const PairLoop& loop, std::size_t i) {
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = Ops::broadcast(loop.row[axis][i - loop.row_origin]);
      }
    }
  };

  Distance<Floats> operator()(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    const auto to_column = [&](int axis) {
      return Ops::to_floats(
          Ops::wrapped_difference(a.at[axis], Ops::load(loop.column[axis] + column)));
    };
    const auto fast =
        fast_distance<metric, Ops>(*this, to_column(0), to_column(1), to_column(2));
    Floats r2 = fast.r2;
    if constexpr (metric == Metric::isotropic) {
      r2 = r2 * squared_scale;
    }
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
