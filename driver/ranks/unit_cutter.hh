#pragma once

#include <cstdint>
#include <optional>

#include "driver/ranks/rank_weights.hh"
#include "driver/ranks/work_unit.hh"

namespace starhist::driver {

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

}  // namespace starhist::driver
