#pragma once

#include <cstdint>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/kernels/bounds.hh"

namespace starhist::codelets {

/// The pairs of one frame that a task counts: rows [row_begin, row_end) of the first
/// species with the second. Offsets are in particles, into the position handles, which
/// may hold several frames one after the other.
struct FrameSlice {
  MinimumImage image;
  kernels::Bounds bounds;  ///< around the positions of both species in the frame
  std::uint64_t first_offset = 0;
  std::uint64_t first_count = 0;
  std::uint64_t second_offset = 0;
  std::uint64_t second_count = 0;
  std::uint64_t row_begin = 0;
  std::uint64_t row_end = 0;
};

}  // namespace starhist::codelets
