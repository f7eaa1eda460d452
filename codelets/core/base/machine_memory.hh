#pragma once

#include <cstdint>

#include <unistd.h>

namespace starhist {

/// Main memory of this machine [bytes].
inline std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace starhist
