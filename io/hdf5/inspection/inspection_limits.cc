#include "io/hdf5/inspection/inspection_limits.hh"

#include <algorithm>

namespace starhist::io {

InspectionLimits inspection_limits(std::uint64_t file_size) {
  constexpr std::uint64_t mebibyte = 1U << 20U;
  const std::uint64_t megabytes = file_size / 1000000;
  InspectionLimits limits;
  limits.address_space =
      std::min(512 * mebibyte + file_size / 8, std::uint64_t{4096} * mebibyte);
  limits.cpu_seconds =
      static_cast<unsigned>(std::min<std::uint64_t>(1 + megabytes / 10, 600));
  limits.wall_seconds = 60 + 10 * limits.cpu_seconds;
  return limits;
}

}  // namespace starhist::io
