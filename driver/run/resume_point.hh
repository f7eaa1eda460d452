#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "codelets/core/counting/histogram.hh"
#include "driver/run/frame_selection.hh"
#include "io/result/run_record.hh"

namespace starhist::driver {

/// Where a run goes on that was stopped or killed.
struct ResumePoint {
  std::uint64_t blocks = 0;  ///< number of blocks that are kept, from the first on
  std::uint64_t frames = 0;  ///< number of frames in these and in `begun`
  std::optional<BlockCounts> begun;  ///< counts of the block that is not full, if any
  /// Number of the next frame in the selection: FrameSelection::index(next_number).
  std::uint64_t next_number = 0;
  /// Smallest Box::inscribed_radius of the frames in the blocks that are kept.
  double inscribed_radius = std::numeric_limits<double>::infinity();
  bool boxes_change = false;  ///< RunSummary::boxes_change
  bool finished = false;      ///< OUTPUT itself is there, with all selected frames
  io::RunRecord record;       ///< provenance of the runs before
};

/// frame_checksum() of a frame of the trajectory.
using FrameChecksum = std::function<std::uint64_t(FrameIndex index)>;

/// Looks at what an earlier run to OUTPUT left. Nothing if there is nothing, so that
/// the run begins anew. `now`: what this run will write as provenance
/// (identity_record()). `checksum`: frame_checksum() of a frame of the trajectory as it
/// is now, 0 if it cannot be read.
///
/// Throws InputError when options or layout are not those of the earlier run, or when
/// frames that it has counted are others now. Of a trajectory that has grown, these are
/// the last ones and a sample of the others; of one that was changed in another way,
/// all. Also if OUTPUT is finished and lacks selected frames.
std::optional<ResumePoint> find_resume_point(const std::string& output,
                                             const HistogramLayout& layout,
                                             const FrameSelection& frames,
                                             std::uint32_t frames_per_block,
                                             const io::RunRecord& now,
                                             const FrameChecksum& checksum);

}  // namespace starhist::driver
