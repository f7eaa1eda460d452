#pragma once

#include "codelets/core/base/macros.hh"
#include "codelets/kernels/fixed_point/fast_metric.hh"

namespace starhist::kernels {

/// Squared distances in squared bins (isotropic: in units of row[0]^2), and the error
/// bound that the image search adds, in the same unit.
template <class Float>
struct FastDistance {
  Float r2;
  Float search_error_r2;  ///< 0 if no facet can be shorter
};

/// Least |d - b_S|^2 - |d|^2 over the six facets, for d = (x, y, z) in bins [squared
/// bins]; negative if the image across a facet is shorter.
template <class Ops, class Constants, class Float>
STARHIST_HOST_DEVICE Float best_gain(const Constants& m, Float x, Float y, Float z) {
  const auto* h = m.minus_twice_row;
  const Float d1 = h[0] * x;
  const Float d2 = Ops::multiply_add(h[2], y, h[1] * x);
  const Float d3 = Ops::multiply_add(h[5], z, Ops::multiply_add(h[4], y, h[3] * x));
  Float best = m.facet_norm2[0] - Ops::magnitude(d1);
  best = Ops::smaller(best, m.facet_norm2[1] - Ops::magnitude(d2));
  best = Ops::smaller(best, m.facet_norm2[2] - Ops::magnitude(d3));
  best = Ops::smaller(best, m.facet_norm2[3] - Ops::magnitude(d1 + d2));
  best = Ops::smaller(best, m.facet_norm2[4] - Ops::magnitude(d1 + d3));
  return Ops::smaller(best, m.facet_norm2[5] - Ops::magnitude(d2 + d3));
}

/// The fast distance of the displacement (u, v, w) in fixed point, converted to Float.
/// Written once for all back ends. `Ops` has multiply_add, magnitude, smaller and
/// where_less for Float; `Constants` has the members of MetricConstants, as Float or as
/// numbers. The error bounds hold for this order of operations.
template <Metric metric, class Ops, class Constants, class Float>
STARHIST_HOST_DEVICE FastDistance<Float> fast_distance(const Constants& m, Float u,
                                                       Float v, Float w) {
  const auto sum_of_squares = [](Float x, Float y, Float z) {
    return Ops::multiply_add(z, z, Ops::multiply_add(y, y, x * x));
  };
  if constexpr (metric == Metric::isotropic) {
    return {sum_of_squares(u, v, w), Float{}};
  } else if constexpr (metric == Metric::diagonal) {
    return {sum_of_squares(u * m.row[0], v * m.row[2], w * m.row[5]), Float{}};
  } else {
    const Float x =
        Ops::multiply_add(u, m.row[0], Ops::multiply_add(v, m.row[1], w * m.row[3]));
    const Float y = Ops::multiply_add(v, m.row[2], w * m.row[4]);
    const Float z = w * m.row[5];
    const Float r2 = sum_of_squares(x, y, z);
    if constexpr (metric == Metric::triangular) {
      return {r2, Float{}};
    } else {
      const Float gain = best_gain<Ops>(m, x, y, z);
      const Float error =
          Ops::multiply_add(r2, m.search_error_norm2, m.search_error_r2);
      const Float shortest = r2 + Ops::smaller(gain, Float{});
      // Positive, so that its root has an inverse; far below every bin.
      const Float tiny = Float{} + 1e-30F;
      return {Ops::where_less(shortest, tiny, tiny, shortest),
              Ops::where_less(gain, error, error, Float{})};
    }
  }
}

}  // namespace starhist::kernels
