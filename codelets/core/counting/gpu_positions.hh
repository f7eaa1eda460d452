#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/core/base/ids.hh"
#include "codelets/core/base/vec3.hh"

namespace starhist {

/// Positions of the particles of a frame in the memory of a GPU.
struct GpuPositions {
  /// The smallest axis-parallel box around positions, in their unit. Empty (low > high)
  /// without a position.
  struct Extent {
    Vec3 low{1e308, 1e308, 1e308};
    Vec3 high{-1e308, -1e308, -1e308};
  };

  int gpu = 0;  ///< CUDA's number
  /// x, y, z of each particle, one species after the other; null without a particle.
  std::shared_ptr<double> xyz;
  std::vector<std::uint64_t> counts;  ///< number of particles, by species
  std::vector<Extent> extents;        ///< of the positions, by species

  /// Positions of a species.
  const double* of(SpeciesId species) const {
    std::uint64_t before = 0;
    for (std::size_t s = 0; s < species.index(); ++s) {
      before += counts[s];
    }
    return xyz.get() + 3 * before;
  }
};

/// A caller's positions in the memory of a GPU, as float or double: component c of
/// particle i is at data + i * particle_stride + c * component_stride.
struct GpuArray {
  const void* data = nullptr;
  bool single = false;  ///< components are float
  std::size_t particles = 0;
  /// Bytes between particles and between components; both 0: contiguous.
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
  /// CUDA stream whose queued work computes the positions; null: the default stream.
  void* stream = nullptr;
};

}  // namespace starhist
