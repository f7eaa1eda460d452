#pragma once

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Unit vectors of particles in a frame, the axis of a molecular second axis.
class ParticleDirections {
 public:
  virtual ~ParticleDirections() = default;

  /// Computes the vectors in a frame. Throws InputError if they are undefined.
  virtual void read(const Frame& frame) = 0;
  /// The vectors of the particles of a species, which is first in a pair.
  virtual const Vec3* of(SpeciesId species) const = 0;
};

}  // namespace starhist::driver
