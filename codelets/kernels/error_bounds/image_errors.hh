#pragma once

#include <cstdint>

#include "codelets/kernels/error_bounds/near_images.hh"

namespace starhist::kernels {

/// How far particles of a cluster are from its centre, in bins.
struct ClusterExtent {
  float radius = 0.0F;
  float along[3] = {};  ///< each axis
};

/// Chooses how the squared distances of two clusters are computed, and sets when they
/// leave a ambiguous pair; `images` has its count and shifts, `lattice_error` is
/// FixedLattice's. False where most pairs could be. ../cpu/README.md derives the
/// bounds.
bool set_errors(const ClusterExtent& a, const ClusterExtent& b, double lattice_error,
                NearImages& images);

/// The largest error of a float to which a number is rounded that is no longer than
/// `x`, or hardly: half a unit in its last place.
[[gnu::always_inline]] inline float rounding_error(float x) {
  const float longer = (1.0F + 1e-5F) * x;
  std::uint32_t bits;
  __builtin_memcpy(&bits, &longer, sizeof(bits));
  bits &= 0x7f80'0000U;
  float power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return 0x1p-24F * power;
}

/// What errors of squared distances, with residuals, depend on a row of which no image
/// is farther than `row` along each axis, in the order in which squares are added;
/// columns are within +-`column` of the centre of their cluster. Of residuals, times
/// columns, and the first two sums.
[[gnu::always_inline]] inline float error_of_row(const float (&row)[3],
                                                 const float (&column)[3]) {
  const float of_row[] = {rounding_error(row[0]), rounding_error(row[1]),
                          rounding_error(row[2])};
  const float rest = row[0] * of_row[0] + row[1] * of_row[1] + row[2] * of_row[2];
  const float product =
      column[0] * of_row[0] + column[1] * of_row[1] + column[2] * of_row[2];
  const float x = row[0] + column[0];
  const float y = row[1] + column[1];
  const float first = x * x + 2.0F * rest;
  return 1.001F *
         (2.0F * product + rounding_error(first) + rounding_error(first + y * y));
}

}  // namespace starhist::kernels
