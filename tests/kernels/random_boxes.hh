#pragma once

#include <array>

#include "codelets/core/geometry/box.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

/// A random box with `axes` periodic edges, which may be skewed.
inline Box random_box(Random& random, int axes) {
  std::array<Vec3, 3> edges{Vec3{random.log_uniform(1.0, 9.0), 0, 0},
                            Vec3{0, random.log_uniform(1.0, 9.0), 0},
                            Vec3{0, 0, random.log_uniform(1.0, 9.0)}};
  if (random.chance(0.6)) {
    edges[1] = edges[1] + random.log_uniform(0.1, 3.0) * edges[0];
    edges[2] = edges[2] + random.log_uniform(0.1, 2.0) * edges[1] -
               random.log_uniform(0.1, 2.0) * edges[0];
  }
  return Box(edges, {axes > 0, axes > 2, axes > 1});
}

}  // namespace starhist::testing
