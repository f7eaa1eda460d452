#pragma once

#include <cstdint>

namespace starhist::io {

/// Resource limits of an inspection process.
struct InspectionLimits {
  std::uint64_t address_space = 0;  ///< [bytes, > 0]
  unsigned cpu_seconds = 0;         ///< CPU time [s, > 0]
  unsigned wall_seconds = 0;        ///< [s, > 0]
};

/// Returns the limits for a file of this size [bytes], far above the needs of files
/// that starhist can read.
InspectionLimits inspection_limits(std::uint64_t file_size);

}  // namespace starhist::io
