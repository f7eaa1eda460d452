#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Particles that fill more than 1.5 times a periodic edge of the box: the box may be
/// too small, or the positions unwrapped.
struct SmallBox {
  std::size_t axis = 0;  ///< the edge that is exceeded most
  double extent = 0.0;   ///< length that the particles fill along it
  /// Distance to the nearest particle, without images and in the box; a tenth of a
  /// sample of particles has a smaller one.
  double nearest = 0.0;
  double nearest_in_box = 0.0;
  /// True if images overlay particles: these keep apart without images, but are closer
  /// in the box. Unwrapped positions of a correct box keep their distances in the box,
  /// or lie at random without it.
  bool overlays = false;
};

/// Compares the box with the positions; empty if the particles fill less. The time is
/// proportional to the number of particles. `positions`: by species, x, y, z of each
/// particle.
std::optional<SmallBox> find_small_box(
    const Box& box, const std::vector<std::vector<double>>& positions);

}  // namespace starhist
