#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// A box so small that its images overlay particles which the file keeps apart.
struct OverlaidParticles {
  std::size_t axis = 0;  ///< periodic axis of the box
  double extent = 0.0;   ///< length that the particles fill along its edge
  /// Smallest distance between particles of a sample and all others, without images and
  /// in the box.
  double nearest = 0.0;
  double nearest_in_box = 0.0;
};

/// Finds particles that fill more than 1.5 times a periodic edge and, in the box, are
/// much closer to each other than without images, and closer than 0.3 mean distances
/// (V/N)^(1/3). Unwrapped positions of a correct box also fill more than an edge, but
/// their images stay apart. The time is proportional to the number of particles.
/// `positions`: by species, x, y, z of each particle.
std::optional<OverlaidParticles> overlaid_particles(
    const Box& box, const std::vector<std::vector<double>>& positions);

}  // namespace starhist
