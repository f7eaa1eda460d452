#pragma once

#include <cstdint>
#include <vector>

#include "codelets/kernels/fixed_point/fixed_lattice.hh"
#include "codelets/kernels/tiles/tile_boxes.hh"

namespace starhist::cpu {

/// x, y, z of `particles`, relative to the centres of their boxes of `group` each, in
/// bins and in the frame of lattice.rows; padded at the end. Memory is reused.
void make_local(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
                std::size_t particles, const TileBoxes& boxes, std::size_t group,
                std::vector<double> (&out)[3]);
void make_local(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
                std::size_t particles, const TileBoxes& boxes, std::size_t group,
                std::vector<float> (&out)[3]);

}  // namespace starhist::cpu
