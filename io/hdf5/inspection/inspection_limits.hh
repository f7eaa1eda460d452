#pragma once

#include <cstdint>

namespace starhist::io {

/// What the process of an inspection may use.
struct InspectionLimits {
  std::uint64_t address_space = 0;  ///< [bytes, > 0]
  unsigned cpu_seconds = 0;         ///< CPU time [s, > 0]
  unsigned wall_seconds = 0;        ///< [s, > 0]
};

/// Limits for a file of this size [bytes]. No file that starhist's readers can work
/// with comes near them.
InspectionLimits inspection_limits(std::uint64_t file_size);

}  // namespace starhist::io
