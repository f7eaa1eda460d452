#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/box.hh"

namespace starhist::python {

/// Particles, each with the number of its group, such as a molecule.
struct GroupedParticles {
  std::size_t count;
  const double* positions;     ///< x, y, z of each particle
  const std::int64_t* groups;  ///< group number of each particle
};

/// Counts, in bins of the defining function, of all pairs of a particle of `a` and one
/// of `b` that belong to groups with the same number.
std::vector<std::uint64_t> count_same_group(const UniformBins& bins, const Box& box,
                                            const GroupedParticles& a,
                                            const GroupedParticles& b);

}  // namespace starhist::python
