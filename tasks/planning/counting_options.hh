#pragma once

#include <cstdint>
#include <optional>

#include "codelets/core/counting/histogram.hh"

namespace starhist::tasks {

/// Whether particles are sorted into spatial order, so that pairs of clusters out of
/// range need not be evaluated. automatic: if that is expected to save time.
enum class Clustering { automatic, on, off };

/// Whether species pairs are counted together, with a label per particle. automatic:
/// those too small for separate tasks; on: all.
enum class Labelling { automatic, on, off };

/// Options of counting. None of them changes a count.
struct CountingOptions {
  /// Expected number of frames in the whole run, for choosing sizes; the actual number
  /// may differ. 0: unknown.
  std::uint64_t frames = 0;
  std::uint32_t frames_per_block = 100;      ///< the last block may have fewer [>= 1]
  std::uint64_t memory_bytes = 1ULL << 32U;  ///< limit of main memory for the run
  std::uint64_t most_pairs_per_task = 0;     ///< 0: the plan chooses
  Clustering clusters = Clustering::automatic;
  Labelling labels = Labelling::automatic;
  bool record_tasks = false;  ///< RunStatus::records() has an entry for every task
  /// Number of the first frame, which determines its block. Not 0 in a run that
  /// continues another one.
  std::uint64_t first_number = 0;
  /// Counts of earlier frames of the block of first_number, from the run that this one
  /// continues.
  std::optional<BlockCounts> begun_block = {};
  /// Expected number of frames of blocks that are closed early
  /// (PairCounter::close_block()), for choosing sizes. 0: frames_per_block.
  std::uint32_t expected_in_block = 0;
};

}  // namespace starhist::tasks
