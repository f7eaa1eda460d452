#pragma once

#include <cstdint>

#include "codelets/core/base/contract.hh"

namespace starhist {

/// n / size rounded up: the number of pieces of at most `size` that hold n. size > 0.
constexpr std::uint64_t divide_up(std::uint64_t n, std::uint64_t size) {
  STARHIST_EXPECT(size > 0, "pieces must not be empty");
  return n / size + (n % size != 0 ? 1U : 0U);
}

}  // namespace starhist
