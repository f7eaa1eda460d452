#pragma once

#include <cstdint>

namespace starhist {

/// n / size rounded up: the number of pieces of at most `size` that hold n. size > 0.
constexpr std::uint64_t divide_up(std::uint64_t n, std::uint64_t size) {
  return n / size + (n % size != 0 ? 1U : 0U);
}

}  // namespace starhist
