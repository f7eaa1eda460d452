#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starhist::driver {

/// Where a rank runs.
struct RankPlace {
  std::uint32_t host = 0;  ///< the same number for ranks that share memory
  /// Logical processors that it may use, those of a core side by side.
  std::vector<std::uint32_t> processors;
  /// CUDA_VISIBLE_DEVICES; empty: not set.
  std::optional<std::string> visible_gpus;
  std::uint32_t gpus = 0;  ///< number of GPUs of the host
};

/// What a rank takes of its host.
struct HostShare {
  std::uint32_t number = 0;  ///< among the ranks of the host, from 0 on
  std::uint32_t ranks = 1;   ///< on the host
  std::vector<std::uint32_t>
      processors;  ///< empty: the affinity mask is left unchanged
  /// Value for CUDA_VISIBLE_DEVICES, "" for no GPU. Without one the variable is left
  /// unchanged.
  std::optional<std::string> visible_gpus;
};

/// The place of this process, on the host of that number.
RankPlace own_place(std::uint32_t host);

/// The share of each rank. Ranks of one host divide its processors and GPUs unless
/// whatever has started them has given them different ones. Where there are fewer
/// processors than ranks, several ranks have the same one; where there are fewer GPUs,
/// the last ranks have none.
std::vector<HostShare> share_hosts(const std::vector<RankPlace>& places);

/// Takes the share. To be called before StarPU starts, in a thread that starts all
/// others.
void take_share(const HostShare& share);

}  // namespace starhist::driver
