#pragma once

#include <cstdint>

namespace starhist {

/// How many pieces of `size` it takes to hold n.
constexpr std::uint64_t divide_up(std::uint64_t n, std::uint64_t size) {
  return n / size + (n % size != 0 ? 1U : 0U);
}

}  // namespace starhist
