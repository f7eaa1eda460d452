#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starhist::driver {

/// Host, processors and GPUs of a rank.
struct RankPlace {
  std::uint32_t host = 0;  ///< equal for ranks that share memory
  /// Logical processors that it may use, those of a core next to each other.
  std::vector<std::uint32_t> processors;
  /// CUDA_VISIBLE_DEVICES; empty: not set.
  std::optional<std::string> visible_gpus;
  std::uint32_t gpus = 0;  ///< number of GPUs of the host
};

/// A rank's share of its host.
struct HostShare {
  std::uint32_t number = 0;  ///< index among the host's ranks, from 0
  std::uint32_t ranks = 1;   ///< number of ranks on the host
  std::vector<std::uint32_t>
      processors;  ///< empty: the affinity mask is left unchanged
  /// Value for CUDA_VISIBLE_DEVICES, "" for no GPU. Empty: leave the variable
  /// unchanged.
  std::optional<std::string> visible_gpus;
};

/// The place of this process, on the host with that number.
RankPlace own_place(std::uint32_t host);

/// The share of each rank. Ranks of one host divide its processors and GPUs unless the
/// launcher has given them different ones. With fewer processors than ranks, several
/// ranks share one; with fewer GPUs, the last ranks have none.
std::vector<HostShare> share_hosts(const std::vector<RankPlace>& places);

/// Applies the share. Call it before StarPU starts, in a thread that starts all others.
void take_share(const HostShare& share);

}  // namespace starhist::driver
