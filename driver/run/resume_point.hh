#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/run/frames/frame_selection.hh"
#include "io/result/result_reader.hh"
#include "io/result/run_record.hh"

namespace starhist::driver {

/// Point at which a stopped or killed run is resumed.
struct ResumePoint {
  std::uint64_t blocks = 0;          ///< number of leading blocks that are kept
  std::uint64_t frames = 0;          ///< number of frames in these and in `begun`
  std::optional<BlockCounts> begun;  ///< counts of a partly filled block, if any
  /// Number of the next frame in the selection: FrameSelection::index(next_number).
  std::uint64_t next_number = 0;
  /// Smallest Box::inscribed_radius of the frames in the kept blocks.
  double inscribed_radius = std::numeric_limits<double>::infinity();
  bool boxes_change = false;  ///< RunSummary::boxes_change
  /// Sum of BlockCounts::empty_frames over the kept blocks.
  std::vector<std::uint64_t> empty_frames;
  bool finished = false;  ///< OUTPUT exists with all selected frames
  io::RunRecord record;   ///< provenance of the earlier runs
};

/// Reads a frame of the trajectory in its current state, with its checksum; empty if it
/// cannot be read.
using FrameLookup = std::function<std::optional<Frame>(FrameIndex index)>;

/// Reads the result of an earlier run without its blocks, which go to `sink`.
using EarlierReader =
    std::function<io::ResultFile(const std::string& path, const HistogramLayout& now,
                                 const std::function<void(BlockCounts&&)>& sink)>;

/// Number of frames per block of the files that an earlier run left for OUTPUT and that
/// a resumed run continues; 0 without such files. `overwrite`: a finished OUTPUT is
/// replaced.
std::uint32_t resumed_block_length(const std::string& output, bool overwrite);

/// Examines the files that an earlier run left for OUTPUT. Empty if there are none, so
/// that the run starts from the beginning. `now`: provenance of this run
/// (identity_record()). `read`: for results of another kind than
/// results of starhist rdf; empty: read_result_blocks().
///
/// Throws InputError if options or layout differ from the earlier run's, or if counted
/// frames or their boxes have changed. For a trajectory that has grown it compares the
/// last frames and a sample of the others; for one that changed otherwise, all. Boxes
/// that vary within a block are compared in the last block, by the sum of volumes. Also
/// throws if OUTPUT is finished and lacks selected frames.
std::optional<ResumePoint> find_resume_point(const std::string& output,
                                             const HistogramLayout& layout,
                                             const FrameSelection& frames,
                                             std::uint32_t frames_per_block,
                                             const io::RunRecord& now,
                                             const FrameLookup& lookup,
                                             const EarlierReader& read = {});

}  // namespace starhist::driver
