#pragma once

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist {

/// The displacement a - b whose square is minimum_distance2(); the first of equally
/// short ones.
STARHIST_HOST_DEVICE Vec3 shortest_displacement(const MinimumImage& image, Vec3 a,
                                                Vec3 b) {
  const Vec3 d = nearest_integer_displacement(image, a, b);
  Vec3 shortest = d;
  double shortest_r2 = dot(d, d);
  for (int i = 0; i < image.facet_count; ++i) {
    const Vec3 image_d =
        shifted(d, with_sign(1.0, dot(d, image.facet[i])), image.facet[i]);
    const double r2 = dot(image_d, image_d);
    if (r2 < shortest_r2) {
      shortest = image_d;
      shortest_r2 = r2;
    }
  }
  return shortest;
}

}  // namespace starhist
