#pragma once

#include <cstdint>
#include <optional>

#include "codelets/core/counting/histogram.hh"

namespace starhist::tasks {

/// Whether particles are brought into spatial order, so that pairs of clusters out of
/// range need not be evaluated. Automatic: where that is expected to save time.
enum class Clustering { automatic, on, off };

/// Whether species pairs are counted together, with a label per particle. Automatic:
/// those that are too small for tasks of their own; on: all.
enum class Labelling { automatic, on, off };

/// How a run counts. Nothing here changes a count.
struct CountingOptions {
  /// Frames that are expected in the whole run; more or fewer may come. It serves to
  /// choose sizes. 0: not known.
  std::uint64_t frames = 0;
  std::uint32_t frames_per_block = 100;      ///< the last block may have fewer [>= 1]
  std::uint64_t memory_bytes = 1ULL << 32U;  ///< main memory for the run, at most
  std::uint64_t most_pairs_per_task = 0;     ///< 0: chosen by the plan
  Clustering clusters = Clustering::automatic;
  Labelling labels = Labelling::automatic;
  bool record_tasks = false;  ///< RunStatus::records() has an entry for every task
  /// Number of the first frame, from which its block follows. Not 0 in a run that
  /// continues another one.
  std::uint64_t first_number = 0;
  /// Counts of the earlier frames of the block of first_number, if another run has
  /// counted some of them.
  std::optional<BlockCounts> begun_block = {};
  /// Frames that a block is expected to have, where they are closed before they are
  /// full (PairCounter::close_block()). It serves to choose sizes. 0: frames_per_block.
  std::uint32_t expected_in_block = 0;
};

}  // namespace starhist::tasks
