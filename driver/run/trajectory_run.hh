#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/axes/vectors/molecular_vectors.hh"
#include "driver/lags/lag_plan.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/frames/frame_stream.hh"
#include "driver/run/frames/trajectory_input.hh"
#include "driver/run/lagged_run.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "driver/run/trajectory_run_spec.hh"
#include "io/output/result_writer.hh"
#include "io/reader/trajectory_reader.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

class RunOutput;

/// Receives the blocks of a run, in order. Pairs within frames have no displacements.
using RunSink = std::function<void(LaggedBlock&&)>;

/// Replaces count_frames(), with the same result, for example to count in several
/// processes. `spec`: TrajectoryRun::counted().
using FrameCounter =
    std::function<RunResult(tasks::Runtime& runtime, const RunSpec& spec,
                            const RunSink& sink, const RunHooks& hooks)>;

/// A run from trajectory files to a result file. It writes nothing to standard output
/// and standard error, does not end the process, and changes neither environment nor
/// signal handlers; but StarPU may print remarks. Recommended environment variables:
/// tasks/runtime/recommended_environment.hh. Its functions are for one thread.
class TrajectoryRun {
 public:
  /// Opens the inputs. Throws InputError if the specification is invalid, or if the
  /// inputs cannot be read or lack the required species, frames or compounds.
  explicit TrajectoryRun(TrajectoryRunSpec spec);

  const io::TrajectoryInfo& info() const { return input_.info(); }
  const RunSpec& run() const { return run_; }
  /// The run as tasks::PairCounter counts it: between frames, pairs of particle sets
  /// (sets_of()).
  RunSpec counted() const;
  /// The options for bins that were not given (ChosenBins::defaults).
  const std::vector<std::string>& default_options() const { return defaults_; }
  /// Vectors for a molecular second axis; null without one.
  MolecularVectors* vectors() const { return vectors_.get(); }
  /// The count between frames; empty: pairs within frames.
  const std::optional<LagPlan>& lags() const { return lags_; }
  /// Properties that other processes of the same run must share: identity_record(),
  /// without times of files.
  io::RunRecord identity() const;
  /// The frames to count, including those of earlier runs.
  const FrameSelection& frames() const { return spec_.frames; }
  /// The kernels with which tasks::Runtime must be started.
  const tasks::KernelChoice& kernels() const { return spec_.kernels; }
  /// True if only CPUs count: bins with explicit edges, separations along the normal of
  /// a plane.
  bool needs_cpus() const;
  /// `settings`, without GPUs if needs_cpus(), and with the cores that are needed
  /// alongside GPUs.
  tasks::StarpuSettings useful_workers(tasks::StarpuSettings settings) const;
  /// Point at which the run is resumed; empty if it starts with the first frame. If it
  /// is finished, nothing is left to count().
  const std::optional<ResumePoint>& resume_point() const { return point_; }

  /// The frame for planning: the first selected frame with a pair to count, or the last
  /// frame if none has one; with BadFrames::skip only usable frames. Only before
  /// start_reading(). Throws InputError for an unusable frame, if no frame is usable,
  /// or if all are counted.
  Frame planned_frame();

  /// The first usable selected frame that is not counted yet; with BadFrames::fail the
  /// first one. Only before start_reading(). Throws InputError if it is unusable, or if
  /// no frame is usable.
  Frame first_frame();

  /// Reads any frame of the trajectory. Only before start_reading().
  void read(FrameIndex index, Frame& frame) { input_.reader().read(index, frame); }

  /// A growing stream of the selected frames; between frames also of the frames of
  /// earlier parts, which are origins. It throws for each unusable frame. Only without
  /// start_reading(). While it exists nothing else may read; it must be destroyed
  /// before the counter of count() returns.
  std::unique_ptr<FrameStream> growing_stream();

  /// Throws InputError if an output would replace an input.
  void check_outputs() const;

  /// Throws RunError if an input file has changed since it was opened.
  void check_unchanged() const;

  /// Returns the frames, read ahead, for a caller that counts them itself in place of
  /// count(). Throws InputError if an output would replace an input. The frames live as
  /// long as the run.
  FrameSource& read_frames();
  /// A message for each selected frame that is left out of frames read to their end.
  std::vector<std::string> left_out();
  /// Returns the messages `skipped` of frames that were read otherwise, and those about
  /// truncated files.
  std::vector<std::string> left_out(std::vector<std::string> skipped) const;
  /// Interpretations of the input that users should know.
  std::vector<std::string> assumptions() const;
  /// Warnings about numbers that may be wrong, known before counting: TrajectoryRunSpec
  /// and opened_molecules(). The first call may read a frame.
  const std::vector<std::string>& start_warnings();
  /// The specification, with values for missing settings.
  const TrajectoryRunSpec& spec() const { return spec_; }

  /// Starts to read ahead, while the caller starts a tasks::Runtime, which takes some
  /// tenths of a second with GPUs. Otherwise count() starts to read.
  void start_reading();

  /// Estimated number of pairs of the run, from its first frame; four times as many
  /// with a second axis, which takes that much longer. Empty if the first frame is not
  /// read within some milliseconds after start_reading(), and for a running simulation.
  /// Files that are large for frames of this size make the estimate larger: later
  /// frames may have more particles.
  std::optional<double> expected_pairs();
  /// Estimates the pairs of the run from a given frame.
  std::optional<double> expected_pairs(const Frame& frame) const;

  /// Counts the frames and writes the result file; can be called once. `runtime` was
  /// started with kernels(). A cancelled or failed run leaves its counted blocks in
  /// OUTPUT.partial, and a cancelled run its last block in OUTPUT.checkpoint, from
  /// which another run can resume. Throws like count_frames(); InputError if the result
  /// file cannot be created or would replace an input; RunError if it cannot be
  /// written. `counter`: counts the frames in place of count_frames(), and reads them
  /// with growing_stream().
  RunSummary count(tasks::Runtime& runtime, const RunHooks& hooks = {},
                   const FrameCounter& counter = {});

 private:
  /// The frame with this number among those not counted yet. If it is unusable: with
  /// BadFrames::fail throws InputError, otherwise returns empty, and sets `problem` to
  /// the reason if that was empty.
  std::optional<Frame> read_usable(std::uint64_t number, std::string& problem);

  /// Checks a frame that was read (check_digits()) and sets its checksum.
  void complete(Frame& frame) const;

  /// Counts the frames into `output`.
  void count_blocks(tasks::Runtime& runtime, const RunHooks& hooks,
                    const FrameCounter& counter, RunOutput& output,
                    RunSummary& summary);

  /// Completes the result file unless the run was cancelled.
  void finish(RunOutput& output, RunSummary& summary);

  /// Sets the fields of the summary that do not follow from the counts.
  void describe(const tasks::Runtime& runtime, RunSummary& summary) const;

  /// Writes the data that the inputs pass on for each block.
  void pass_on(io::ResultWriter& writer);

  TrajectoryInput input_;
  std::vector<std::string> defaults_;
  const TrajectoryRunSpec spec_;
  const std::optional<LagPlan> lags_;
  const std::optional<ResumePoint> point_;
  const RunSpec run_;
  const std::unique_ptr<MolecularVectors> vectors_;
  LagMessages lag_messages_;
  std::optional<std::vector<std::string>> start_warnings_;
  std::unique_ptr<FrameStream> frames_;
};

}  // namespace starhist::driver
