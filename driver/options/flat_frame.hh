#pragma once

#include <array>

#include "codelets/core/counting/frame.hh"

namespace starhist::driver {

/// Edges of the cuboid that holds all particles of the frame; 0 without particles.
std::array<double, 3> extent_of(const Frame& frame);

/// The plane of a two-dimensional system: its particles differ in two coordinates only,
/// and along the third the box is open or so thin that it limits the range of g(r).
/// Plane{} for other systems, and for fewer than four particles.
Plane two_dimensional(const Frame& frame);

}  // namespace starhist::driver
