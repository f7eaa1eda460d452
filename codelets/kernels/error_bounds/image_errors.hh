#pragma once

#include <cstdint>

#include "codelets/kernels/error_bounds/near_images.hh"

namespace starhist::kernels {

/// Extent of a cluster's particles from its centre, rounded up [bins].
struct ClusterExtent {
  float radius = 0.0F;  ///< largest distance from the centre
  /// Largest |coordinate| along each axis of the frame of FixedLattice::rows.
  float along[3] = {};
};

/// Sets the error bounds of `images`, whose count and shifts are set, for the pairs of
/// a cluster of rows `a` and a cluster of columns `b`. Chooses whether their squared
/// distances are computed with residuals. `lattice_error` is
/// FixedLattice::lattice_error [bins]. Returns false if the bound reaches
/// largest_ambiguity, so that most pairs could be ambiguous.
/// docs/explanation/certified-counts.md derives the bounds ("Clusters on CPUs").
bool set_errors(const ClusterExtent& a, const ClusterExtent& b, double lattice_error,
                NearImages& images);

/// Largest rounding error of a float of magnitude up to (1 + 1e-5) x: half a unit in
/// the last place.
[[gnu::always_inline]] inline float rounding_error(float x) {
  const float longer = (1.0F + 1e-5F) * x;
  std::uint32_t bits;
  __builtin_memcpy(&bits, &longer, sizeof(bits));
  bits &= 0x7f80'0000U;
  float power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return 0x1p-24F * power;
}

/// The part of the error bound of squared distances with residuals that depends on the
/// row [squared bins]: rounding of the row times columns, and rounding of the first two
/// sums of squares. `row[i]` is the largest |coordinate| of all images of the row,
/// `column[i]` the extent of the cluster of columns [bins]; axes are in the order in
/// which squares are added.
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
