#pragma once

#include <array>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Largest part of the box without particles along each edge, as a fraction of the edge
/// and rounded down to multiples of 0.001. 0 for boxes without a volume, planar ones
/// and those with fewer than 50 particles, and for parts narrower than three mean
/// distances (V/N)^(1/3) of the particles, such as the space between layers of a
/// crystal. `positions`: by species, x, y, z of each particle.
std::array<double, 3> empty_parts(const Box& box,
                                  const std::vector<std::vector<double>>& positions);

/// Warning about empty_parts() of more than a fifth of an edge, with options of rdf as
/// remedies; "" for a filled box.
std::string empty_parts_text(const std::array<double, 3>& parts);

}  // namespace starhist
