#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace starhist::driver {

/// Number of GPUs of each rank, or 1 for a rank without a GPU.
using RankWeights = std::vector<std::uint64_t>;

constexpr std::uint64_t weight_of_rank(std::uint64_t gpus) {
  return std::max<std::uint64_t>(gpus, 1);
}

inline std::uint64_t sum(const RankWeights& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

}  // namespace starhist::driver
