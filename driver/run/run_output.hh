#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/lags/lag_plan.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/repeated_positions.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/trajectory_run_spec.hh"
#include "io/output/block_writer.hh"
#include "io/output/result_writer.hh"

namespace starhist::driver {

/// Throws InputError if an output of the run would overwrite a file that it reads.
void check_outputs(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info);

/// The files of a run while it is counted: the result, and the checkpoint from which a
/// killed run resumes. Sets the fields of the summary that follow from the blocks.
class RunOutput {
 public:
  /// Creates the result file, or resumes it at `point`. `lags`: empty for pairs within
  /// frames; `record`: first_provenance(). References must outlive this object. Throws
  /// like io::ResultWriter.
  RunOutput(const TrajectoryRunSpec& spec, const RunSpec& run,
            const std::optional<LagPlan>& lags, const std::optional<ResumePoint>& point,
            const io::RunRecord& record, RunSummary& summary);

  void append(BlockCounts&& block);
  void append(const LaggedBlock& block);

  /// The hooks, with checkpoints of this output.
  RunHooks with_checkpoints(const RunHooks& hooks);

  /// Waits until all blocks are in the file.
  void end_blocks();

  /// Sum of BlockCounts::empty_frames over all blocks, including earlier runs.
  const std::vector<std::uint64_t>& empty_frames() const { return empty_frames_; }
  /// RepeatedPositions::warning() of the frames of this run.
  std::string repeated_warning() const { return counted_.warning(); }
  /// Only after end_blocks().
  io::ResultWriter& writer() { return *writer_; }

 private:
  /// Updates the summary.
  void note(const BlockCounts& block);

  const TrajectoryRunSpec& spec_;
  const bool whole_blocks_;  ///< checkpoints have only whole blocks
  RunSummary& summary_;
  const std::unique_ptr<io::ResultWriter> writer_;
  std::optional<io::BlockWriter> blocks_;
  std::uint64_t written_;    ///< number of blocks, including earlier runs
  std::uint64_t in_blocks_;  ///< number of frames in these
  /// Largest Box::covering_radius of the blocks; infinite if some have no box.
  double farthest_;
  std::vector<std::uint64_t> empty_frames_;
  std::uint64_t pairs_ = 0;    ///< number of pairs in the blocks of this run
  std::uint64_t outside_ = 0;  ///< part of `pairs_`: outside the bins
  std::uint64_t first_ = 0;    ///< part of `pairs_`: in the first bin
  RepeatedPositions counted_;
  bool counts_pairs_ = false;  ///< a block of this run, not of a count between frames
  std::uint64_t next_ = 0;     ///< part of `pairs_`: in the next nine bins
};

}  // namespace starhist::driver
