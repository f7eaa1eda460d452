#pragma once

#include <cstdint>

#include "codelets/core/geometry/minimum_image.hh"

namespace starhist::codelets {

/// One frame in the position handles: offsets and particle numbers of both species.
struct CompoundFrame {
  MinimumImage image;
  std::uint64_t first_offset = 0;
  std::uint64_t first_count = 0;
  std::uint64_t second_offset = 0;
  std::uint64_t second_count = 0;
};

}  // namespace starhist::codelets
