#pragma once

#include <cstdint>
#include <optional>

#include "driver/ranks/rank_weights.hh"
#include "driver/ranks/work_unit.hh"

namespace starhist::driver {

/// Frames of a run that several ranks count.
struct RankedFrames {
  std::uint64_t begin = 0;               ///< number of the first frame in the selection
  std::uint64_t end = 0;                 ///< behind the last one
  std::uint32_t frames_per_block = 100;  ///< [>= 1]
  std::uint64_t pairs_per_frame = 0;     ///< of the first frame
  /// Frames that a rank counts together (tasks::BatchPlan) [>= 1]. In smaller units its
  /// tasks would be too small for GPUs.
  std::uint64_t frames_per_batch = 1;
  double seconds_per_frame = 0.0;  ///< that rank 0 needs, about; 0: not known
};

/// Smallest work unit that is cut from the rows of one frame [pairs].
inline constexpr std::uint64_t least_pairs_of_a_row_part = 100'000'000;

/// Frames of a work unit, at most [>= 1]: few enough that each rank gets many units,
/// but about a batch at least, and that a block begins with a unit.
std::uint64_t most_frames_per_unit(const RankedFrames& frames,
                                   const RankWeights& weights);

/// Parts into which each frame is cut [>= 1]: more than one where there are several
/// ranks, few frames for each of their GPUs, and many pairs per frame.
std::uint32_t row_parts(const RankedFrames& frames, const RankWeights& weights);

/// Returns the first work unit of `rank` in a job of `ranks` ranks without GPUs, or
/// nothing if there are too few units for it. A job with GPUs has the same first units,
/// unless it divides rows otherwise. Ranks read this unit before they know their GPUs.
std::optional<WorkUnit> first_unit(const RankedFrames& frames, std::uint32_t ranks,
                                   std::uint32_t rank);

/// Cuts the frames of a run into work units, in order. Towards the end units become
/// smaller, down to one frame, so that ranks of any speed end together.
class UnitCutter {
 public:
  UnitCutter(const RankedFrames& frames, const RankWeights& weights);

  /// The next unit; nothing after the last one.
  std::optional<WorkUnit> next();
  /// Number of units that are left, or more.
  std::uint64_t most_left() const {
    return (frames_.end - next_frame_) * parts_ - next_part_;
  }

 private:
  const RankedFrames frames_;
  const std::uint64_t ranks_;
  const std::uint64_t weights_;      // their sum
  const std::uint64_t first_units_;  // frames of the first one of each rank, at most
  const std::uint64_t most_frames_;
  const std::uint32_t parts_;
  std::uint64_t units_ = 0;
  std::uint64_t next_frame_;
  std::uint32_t next_part_ = 0;
};

}  // namespace starhist::driver
