#pragma once

#include <cstdint>

#include "codelets/core/base/ids.hh"

namespace starhist::tasks {

/// Whether particles are brought into spatial order, so that clusters out of range are
/// found.
enum class Clustering { automatic, on, off };

struct CountingOptions {
  std::uint64_t frames = 0;  ///< expected; only to choose task sizes
  std::uint32_t frames_per_block = 100;
  std::uint64_t memory_bytes = 1ULL << 32U;
  std::uint64_t most_pairs_per_task = 0;        ///< 0: chosen from the work
  Clustering clusters = Clustering::automatic;  ///< automatic: if it saves time
  bool record_tasks = false;                    ///< keep RunStatus::records()
  /// Number of the first block: that of the next one, where a run goes on that has
  /// ended after a full block.
  BlockIndex first_block{};
};

}  // namespace starhist::tasks
