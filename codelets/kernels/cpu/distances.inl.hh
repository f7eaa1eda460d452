// The fast distances of the loop over pairs; part of pair_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"
#include "codelets/kernels/fixed_point/fast_distance.hh"

namespace starhist::cpu {
namespace {

/// MetricConstants, each in all lanes of Ops_, Simd or FineSimd.
template <class Ops_>
struct WideMetric {
  using Ops = Ops_;
  using Floats = typename Ops::Floats;
  using Real = typename Ops::Real;

  Floats row[6];
  Floats minus_twice_row[6];
  Floats facet_norm2[6];
  Floats error_rel;
  Floats error_abs;
  Floats search_error_norm2;
  Floats search_error_r2;
  Floats half;
  Floats clamp;  ///< beyond the last bin, one place per lane, never near an edge

  WideMetric(const MetricConstants<Real>& fast, std::uint32_t bin_count)
      : error_rel(Ops::broadcast(fast.error_rel)),
        error_abs(Ops::broadcast(fast.error_abs)),
        search_error_norm2(Ops::broadcast(fast.search_error_norm2)),
        search_error_r2(Ops::broadcast(fast.search_error_r2)),
        half(Ops::broadcast(static_cast<Real>(0.501))),
        clamp(Ops::broadcast(static_cast<Real>(bin_count)) + Ops::lane_centres()) {
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
inline const FineMetric& constants_of(const PairLoop& loop, double) {
  return *loop.fine;
}

/// Distances in bins, and bounds of their errors.
template <class Floats>
struct Distance {
  Floats value;  ///< beyond the last bin in one place per lane, never near an edge
  Floats error;
};

/// Each pair's image is found by itself, as `metric` says.
template <Metric metric, class Ops>
struct AnyImage : WideMetric<Ops> {
  using Wide = WideMetric<Ops>;
  using typename Wide::Floats;

  explicit AnyImage(const PairLoop& loop)
      : Wide(constants_of(loop, typename Wide::Real{}), loop.block->bins->count) {}

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
    Floats value = Ops::root(fast.r2);
    Floats error = this->error_abs;
    if constexpr (metric == Metric::isotropic) {
      value = value * this->row[0];
    } else if constexpr (metric == Metric::searched) {
      error = Ops::multiply_add(fast.search_error_r2 * this->half,
                                Ops::about_inverse_root(fast.r2), error);
    }
    value = Ops::smaller(value, this->clamp);
    return {value, Ops::multiply_add(value, this->error_rel, error)};
  }
};

/// The nearest of the images that two tiles have; image_count 0: any number.
template <int image_count>
struct NearestImage {
  using Ops = Simd;
  using Floats = Simd::Floats;

  Floats error_rel;
  Floats error_abs;
  Floats clamp;

  explicit NearestImage(const PairLoop& loop)
      : error_rel(Simd::broadcast(loop.images->error_rel)),
        error_abs(Simd::broadcast(loop.images->error_abs)),
        clamp(Simd::broadcast(static_cast<float>(loop.block->bins->count)) +
              Simd::lane_centres()) {}

  /// The images of one particle, each in all lanes.
  struct Row {
    static constexpr int most = image_count == 0 ? NearImages::most : image_count;
    Floats at[most][3];
    int count;

    Row(const NearestImage& /*measure*/, const PairLoop& loop, std::size_t i)
        : count(loop.images->count) {
      for (int k = 0; k < (image_count == 0 ? count : image_count); ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          at[k][axis] = Simd::broadcast(
              static_cast<float>(loop.local_row[axis][i - loop.local_row_origin] +
                                 loop.images->shift[k][axis]));
        }
      }
    }
  };

  Distance<Floats> operator()(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    const Floats x = Simd::load(loop.local_column[0] + column);
    const Floats y = Simd::load(loop.local_column[1] + column);
    const Floats z = Simd::load(loop.local_column[2] + column);
    const auto squared = [&](int k) {
      const Floats x_k = a.at[k][0] - x;
      const Floats y_k = a.at[k][1] - y;
      const Floats z_k = a.at[k][2] - z;
      return Simd::multiply_add(z_k, z_k, Simd::multiply_add(y_k, y_k, x_k * x_k));
    };
    // Written out for constant counts: the loop around is to be unrolled.
    Floats r2 = squared(0);
    if constexpr (image_count >= 2) {
      r2 = Simd::smaller(r2, squared(1));
    }
    if constexpr (image_count >= 3) {
      r2 = Simd::smaller(r2, squared(2));
    }
    if constexpr (image_count >= 4) {
      r2 = Simd::smaller(r2, squared(3));
    }
    if constexpr (image_count == 0) {
      for (int k = 1; k < a.count; ++k) {
        r2 = Simd::smaller(r2, squared(k));
      }
    }
    const Floats value = Simd::smaller(Simd::root(r2), clamp);
    return {value, Simd::multiply_add(value, error_rel, error_abs)};
  }
};

}  // namespace
}  // namespace starhist::cpu
