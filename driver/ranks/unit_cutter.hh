#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "driver/ranks/work_unit.hh"

namespace starhist::driver {

/// Number of GPUs of each rank, or 1 for a rank without a GPU.
using RankWeights = std::vector<std::uint64_t>;

constexpr std::uint64_t weight_of_rank(std::uint64_t gpus) {
  return std::max<std::uint64_t>(gpus, 1);
}

inline std::uint64_t sum(const RankWeights& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

/// Smallest work units: some rows of a frame, frames, or blocks.
enum class SmallestUnit { rows, frame, block };

/// Frames of a run that several ranks count.
struct RankedFrames {
  std::uint64_t begin = 0;               ///< number of the first frame in the selection
  std::uint64_t end = 0;                 ///< one past the last one
  std::uint32_t frames_per_block = 100;  ///< [>= 1]
  std::uint64_t pairs_per_frame = 0;     ///< of the first frame
  /// Frames that a rank counts together (tasks::BatchPlan) [>= 1]. Smaller units make
  /// tasks too small for GPUs.
  std::uint64_t frames_per_batch = 1;
  double seconds_per_frame = 0.0;  ///< approximate time on rank 0; 0: unknown
  SmallestUnit smallest = SmallestUnit::rows;  ///< block: each unit is a block
};

/// Smallest work unit cut from the rows of one frame [pairs].
inline constexpr std::uint64_t least_pairs_of_a_row_part = 100'000'000;

/// Maximum number of frames of a work unit [>= 1]: few enough for each rank to get many
/// units, but about a batch at least, and such that each block starts with a unit.
std::uint64_t most_frames_per_unit(const RankedFrames& frames,
                                   const RankWeights& weights);

/// Number of parts into which each frame is cut [>= 1]: more than one if there are
/// several ranks, few frames per GPU, and many pairs per frame, unless units are
/// larger.
std::uint32_t row_parts(const RankedFrames& frames, const RankWeights& weights);

/// Returns the first work unit of `rank` in a job of `ranks` ranks without GPUs; empty
/// if there are too few units. A job with GPUs has the same first units, unless it
/// divides rows differently. Ranks read this unit before they know their GPUs.
std::optional<WorkUnit> first_unit(const RankedFrames& frames, std::uint32_t ranks,
                                   std::uint32_t rank);

/// Cuts the frames of a run into work units, in order. Units shrink towards the end,
/// down to one frame, so that ranks of different speeds finish together.
class UnitCutter {
 public:
  UnitCutter(const RankedFrames& frames, const RankWeights& weights);

  /// The next unit; empty after the last one.
  std::optional<WorkUnit> next();
  /// Upper bound of the number of remaining units.
  std::uint64_t most_left() const;

 private:
  const RankedFrames frames_;
  const std::uint64_t ranks_;
  const std::uint64_t weights_;      // their sum
  const std::uint64_t first_units_;  // most frames in a rank's first unit
  const std::uint64_t most_frames_;
  const std::uint32_t parts_;
  std::uint64_t units_ = 0;
  std::uint64_t next_frame_;
  std::uint32_t next_part_ = 0;
};

/// Largest number of work units in hand per rank: one being counted, and two queued for
/// each of its GPUs, or for its cores. If the queued ones would take more than about a
/// second there are fewer, but at least two, because a killed run loses the units in
/// hand. Four GPUs of a rank with three short units in hand lost 7 % of the time. Two
/// units that are whole blocks.
std::vector<std::uint64_t> most_in_hand(const RankedFrames& frames,
                                        const RankWeights& weights);

/// Decides which rank gets which work unit. A rank has several units in hand, so that
/// it need not wait for the next one. No unit far ahead of the first missing one is
/// handed out, which bounds the memory of waiting counts and the loss of a killed run.
/// For one thread.
class HandOut {
 public:
  /// `most_in_hand`: of each rank [>= 1]; fewer at the end of the run, when a slow rank
  /// would withhold them from the others. `window`: a unit is handed out if fewer units
  /// than that lie between it and the first missing one [>= 1].
  HandOut(UnitCutter cutter, RankWeights weights,
          std::vector<std::uint64_t> most_in_hand, std::uint64_t window);

  /// The next unit for a rank, which then has it in hand. Empty if the rank has enough,
  /// the window is full, or no unit is left. `missing`: number of the first unit whose
  /// counts are missing.
  std::optional<WorkUnit> next(std::uint32_t rank, std::uint64_t missing);

  /// Records that the rank has counted one of its units, or will not.
  void returned(std::uint32_t rank) {
    STARHIST_EXPECT(in_hand_.at(rank) > 0, "the rank has a unit in hand");
    --in_hand_[rank];
  }
  std::uint64_t in_hand(std::uint32_t rank) const { return in_hand_[rank]; }

  /// Hands out no more units.
  void stop() { stopped_ = true; }
  /// True if next() will return no more units.
  bool is_empty();

 private:
  const std::optional<WorkUnit>& peek();
  std::uint64_t most_for(std::uint32_t rank) const;

  UnitCutter cutter_;
  const RankWeights weights_;
  const std::vector<std::uint64_t> most_in_hand_;  // by rank
  const std::uint64_t window_;
  std::vector<std::uint64_t> in_hand_;  // by rank
  std::optional<WorkUnit> next_;
  bool stopped_ = false;
};

}  // namespace starhist::driver
