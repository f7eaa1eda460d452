#pragma once

#include <cstdint>
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
  io::RunRecord record;       ///< provenance of the runs before
};

/// Looks at what an earlier run to OUTPUT left. Nothing if there is nothing, so that
/// the run begins anew. `now`: what this run will write as provenance
/// (identity_record()). Throws InputError when inputs, options or layout are not those
/// of the earlier run; the last input may have grown.
std::optional<ResumePoint> find_resume_point(const std::string& output,
                                             const HistogramLayout& layout,
                                             const FrameSelection& frames,
                                             std::uint32_t frames_per_block,
                                             const io::RunRecord& now);

}  // namespace starhist::driver
