#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

/// Layout of the caller's positions in memory.
enum class Arrangement {
  compact,    ///< x0, y0, z0, x1, ...
  by_column,  ///< x0, x1, ..., y0, y1, ...: Fortran's x(n, 3)
  with_gaps,  ///< fields of a record of an odd number of bytes
  backwards,  ///< the first particle last
};

/// Positions and labels of all particles of a frame, species mixed.
template <class Real>
struct ParticleArrays {
  std::size_t particles = 0;
  std::vector<char> memory;
  std::ptrdiff_t offset = 0;  ///< of the first particle [bytes]
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
  std::vector<std::int32_t> labels;

  const Real* positions() const {
    return reinterpret_cast<const Real*>(memory.data() + offset);
  }
};

template <class Real>
ParticleArrays<Real> arrays_of(const Frame& frame, Arrangement arrangement,
                               Random& random) {
  ParticleArrays<Real> arrays;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // species, particle
  for (std::size_t s = 0; s < frame.positions.size(); ++s) {
    for (std::size_t k = 0; k < frame.positions[s].size() / 3; ++k) {
      order.emplace_back(s, k);
    }
  }
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  constexpr std::ptrdiff_t real = sizeof(Real);
  const auto n = static_cast<std::ptrdiff_t>(order.size());
  arrays.particles = order.size();
  switch (arrangement) {
    case Arrangement::compact:
      break;
    case Arrangement::by_column:
      arrays.particle_stride = real;
      arrays.component_stride = n * real;
      break;
    case Arrangement::with_gaps:
      arrays.offset = 5;
      arrays.particle_stride = 4 * real + 3;
      arrays.component_stride = real + 1;
      break;
    case Arrangement::backwards:
      arrays.particle_stride = -3 * real;
      arrays.component_stride = real;
      arrays.offset = n > 0 ? 3 * real * (n - 1) : 0;
      break;
  }
  arrays.memory.resize(
      static_cast<std::size_t>(arrays.offset + (4 * real + 3) * (n + 1)));
  const bool compact = arrangement == Arrangement::compact;
  const std::ptrdiff_t row = compact ? 3 * real : arrays.particle_stride;
  const std::ptrdiff_t column = compact ? real : arrays.component_stride;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const auto [species, particle] = order[static_cast<std::size_t>(i)];
    for (std::ptrdiff_t c = 0; c < 3; ++c) {
      const auto value = static_cast<Real>(
          frame.positions[species][3 * particle + static_cast<std::size_t>(c)]);
      std::memcpy(arrays.memory.data() + arrays.offset + i * row + c * column, &value,
                  sizeof value);
    }
    arrays.labels.push_back(static_cast<std::int32_t>(species));
  }
  return arrays;
}

}  // namespace starhist::testing
