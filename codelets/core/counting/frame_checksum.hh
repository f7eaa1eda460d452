#pragma once

#include <cstdint>

#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// Checksum that identifies a frame in any file: of its step, its time and the
/// positions of the species that are in a pair of the layout, in their order; not of
/// its box. The lowest bit is 1 if the frame has_moment(). Never 0; checksum_of_nothing
/// for a frame without such particles. Takes about 2 ns per particle.
std::uint64_t frame_checksum(const HistogramLayout& layout, const Frame& frame);

/// Checksum of all frames without a particle in a pair: such a frame is not recognized
/// in other results, because it adds nothing to the counts.
inline constexpr std::uint64_t checksum_of_nothing = 3;

/// Checksum of only the positions, of all species.
std::uint64_t positions_checksum(const Frame& frame);

/// True if the frame with this checksum has a step or time.
inline bool checksum_has_moment(std::uint64_t checksum) {
  return (checksum & 1U) != 0;
}

}  // namespace starhist
