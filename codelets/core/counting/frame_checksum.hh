#pragma once

#include <cstdint>

#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// Checksum that identifies a frame in any file: of its step, its time and the
/// positions of the species that are in a pair of the layout, whatever the order of the
/// particles, which files change; not of its box. The lowest bit is 1 if the frame
/// has_moment(). Never 0; checksum_of_nothing for a frame without such particles. Takes
/// about 2 ns per particle.
std::uint64_t frame_checksum(const HistogramLayout& layout, const Frame& frame);

/// Checksum of all frames without a particle in a pair: such a frame is not recognized
/// in other results, because it adds nothing to the counts.
inline constexpr std::uint64_t checksum_of_nothing = 3;

/// Number of low bits of a frame_checksum() that depend only on step and time.
inline constexpr int moment_bits = 16;

/// The part of a frame_checksum() that depends only on the positions: 48 bits.
inline std::uint64_t checksum_of_positions(std::uint64_t checksum) {
  return checksum >> moment_bits;
}

/// Checksum of only the positions, of all species, in any order within a species.
std::uint64_t positions_checksum(const Frame& frame);

/// True if the frame with this checksum has a step or time.
inline bool checksum_has_moment(std::uint64_t checksum) {
  return (checksum & 1U) != 0;
}

}  // namespace starhist
