#pragma once

#include <chrono>

namespace starhist {

/// Returns the time since `start` [s].
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

}  // namespace starhist
