#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/run/counting_run.hh"
#include "driver/run/frame_selection.hh"
#include "driver/run/frame_stream.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "driver/run/trajectory_input.hh"
#include "io/output/path_conflicts.hh"
#include "io/output/result_writer.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/run_record.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// So many species of a file are counted each with each unasked.
inline constexpr std::size_t most_default_species = 40;

/// Bins of which a part is a default.
struct ChosenBins {
  UniformBins bins;
  /// The options that were not given: "--r-max", "--bin-width" or both.
  std::vector<std::string> defaults;
};

/// Chooses bins by a frame and the length unit of the trajectory ("": not known).
using BinChooser =
    std::function<ChosenBins(const Frame& frame, const std::string& length_unit)>;

/// Specification of a run. The fields are the options of `starhist rdf`; error messages
/// use the names of these options. `inputs`, `output` and either `bins` or
/// `choose_bins` are required.
struct TrajectoryRunSpec {
  std::vector<std::string> inputs;  ///< paths of trajectory files, read as one
  std::string structure;            ///< file that names the atoms; "": none
  std::string altloc = "first";     ///< ReadOptions::altloc
  std::string index;                ///< ReadOptions::index; "": none
  std::string aliases;              ///< ReadOptions::aliases; "": none
  bool guess_elements = false;      ///< ReadOptions::guess_elements
  /// Of HDF5 files whose data lie in other files; those that are followed are named in
  /// the provenance.
  io::ExternalFiles external = io::ExternalFiles::refused;
  std::string group;        ///< particle group of H5MD files; "": the only one
  std::string length_unit;  ///< for files that do not say theirs: "nm"; "": none
  std::string time_unit;    ///< the same: "ps"
  std::optional<Box> box;   ///< replaces the box of every frame; empty: does not
  std::string box_file;     ///< ReadOptions::box_file; "": none
  /// Rules that select the particles of each species (io::parse_species_groups());
  /// empty: the species of the file or, with `index`, the groups in `pairs`.
  std::vector<io::SpeciesGroup> species;
  /// What makes the species without rules; SpeciesBy::file: the file's species or,
  /// where these are more than most_default_species and `pairs` is empty, its elements.
  io::SpeciesBy species_by = io::SpeciesBy::file;
  bool all_pairs = false;  ///< count all pairs of any number of species
  io::RepeatedFrames repeated = io::RepeatedFrames::drop;
  FrameSelection frames;  ///< default: all
  TimeSelection times;    ///< of `frames`; default: all
  SelectionPart part;     ///< of what is selected by both; default: all
  BadFrames bad_frames = BadFrames::fail;

  UniformBins bins;  ///< from make_bins() [length unit of the trajectory]
  /// Chooses the bins by the first selected frame that can be used, in place of `bins`.
  /// Empty: does not.
  BinChooser choose_bins = {};
  std::string pairs;  ///< species pairs: "O-O,H-O"; "": all pairs of the species
  Exclusion exclusion = Exclusion::none;
  std::uint32_t frames_per_block = 100;  ///< [>= 1]
  /// Most blocks that the run may have: the length of a block is the shortest with
  /// which these hold all frames. 0: frames_per_block holds.
  std::uint64_t blocks = 0;

  std::string output;  ///< path of the result file; OUTPUT.partial until it is complete
  /// Files that the caller writes after the run, such as its summary.
  std::vector<io::UsedPath> written_later;
  bool overwrite = false;  ///< replace an existing result
  /// Go on with what a run to the same output left that was stopped or killed; begin
  /// anew if there is nothing.
  bool resume = false;
  /// A killed run loses the counts of so much time at most, or of one frame [s, > 0].
  double checkpoint_seconds = 60.0;
  /// Further entries of the provenance, such as {"option --r-max", "1.2"}.
  io::RunRecord as_written;

  /// Memory for frames and counts [bytes]; 0: half of the machine's memory. Divided by
  /// the number of processes.
  std::uint64_t memory_bytes = 0;
  std::uint32_t processes_on_host = 1;    ///< of this run, which share memory [>= 1]
  std::uint64_t most_pairs_per_task = 0;  ///< 0: chosen from speeds and workload
  tasks::Clustering clusters = tasks::Clustering::automatic;
  tasks::Labelling labels = tasks::Labelling::automatic;
  tasks::CpuMode cpu_mode = tasks::CpuMode::core;  ///< for run_trajectory()
  std::string cpu_variant;                         ///< KernelChoice::cpu_variant
  std::string cuda_variant = "auto";               ///< KernelChoice::cuda_variant
  bool record_tasks = false;                       ///< fill RunResult::tasks

  /// Options for opening the inputs.
  io::ReadOptions reading() const;
  /// The kernels for these `bins`.
  tasks::KernelChoice kernels() const;
};

/// Counts the frames of a run in place of count_frames(), with the same arguments and
/// the same result, such as by several processes.
using FrameCounter = std::function<RunResult(
    tasks::Runtime& runtime, const RunSpec& spec,
    const tasks::PairCounter::BlockSink& sink, const RunHooks& hooks)>;

/// A run from trajectory files to a result file. It writes nothing to standard output
/// and standard error itself, does not end the process, and changes neither environment
/// nor signal handlers. StarPU can print remarks of its own. Environment variables that
/// are worth setting before: tasks/runtime/recommended_environment.hh. Its functions
/// are for one thread.
class TrajectoryRun {
 public:
  /// Opens the inputs. Throws InputError when the specification is not usable, or when
  /// the inputs cannot be read or do not have the species, frames or compounds that it
  /// needs.
  explicit TrajectoryRun(TrajectoryRunSpec spec);

  const io::TrajectoryInfo& info() const { return input_.info(); }
  const RunSpec& run() const { return run_; }
  /// The options for bins that were not given (ChosenBins::defaults).
  const std::vector<std::string>& default_options() const { return defaults_; }
  /// What another process of the same run must have too: identity_record(), without
  /// times of files.
  io::RunRecord identity() const;
  /// The frames that are counted, those of earlier runs included.
  const FrameSelection& frames() const { return spec_.frames; }
  /// The kernels that tasks::Runtime is to be started with.
  tasks::KernelChoice kernels() const { return spec_.kernels(); }
  /// Where the run goes on; empty if it begins with the first frame. Where it is
  /// finished, there is nothing to count().
  const std::optional<ResumePoint>& resume_point() const { return point_; }

  /// The frame from which the work is planned: the first selected frame with a pair to
  /// count, or the last frame if none has one; with BadFrames::skip of those that can
  /// be used. Only before start_reading(). Throws InputError for a frame that cannot be
  /// used, if none can, or if all are counted.
  Frame planned_frame();

  /// The first selected frame that is not counted yet and can be used; with
  /// BadFrames::fail the first one. Only before start_reading(). Throws InputError if
  /// it cannot be used, if no frame can, or where r_max is far beyond its distances.
  Frame first_frame();

  /// Reads any frame of the trajectory. Only before start_reading().
  void read(FrameIndex index, Frame& frame) { input_.reader().read(index, frame); }

  /// A stream that grows, of the selected frames, from their reader; it throws for each
  /// frame that cannot be used. Only without start_reading(), and while it exists
  /// nothing else may read; it must end before the counter of count() returns.
  std::unique_ptr<FrameStream> growing_stream();

  /// Throws RunError where an input file has changed since it was opened.
  void check_unchanged() const;

  /// Begins to read ahead, while the caller starts a tasks::Runtime, which takes some
  /// tenths of a second with GPUs. count() begins if this was not called.
  void start_reading();

  /// Counts the frames and writes the result file; can be called once. `runtime` was
  /// started with kernels(). A cancelled or failed run leaves the
  /// blocks that it has counted in OUTPUT.partial, and the last block of a cancelled
  /// run in OUTPUT.checkpoint, with which another run can go on. Throws as
  /// count_frames(); InputError when the result file cannot be created or would replace
  /// an input; RunError when it cannot be written.
  /// `counter`: counts the frames, instead of count_frames(), and reads them with
  /// growing_stream().
  RunSummary count(tasks::Runtime& runtime, const RunHooks& hooks = {},
                   const FrameCounter& counter = {});

 private:
  /// That frame of the selection, among those not counted yet. Where it cannot be used:
  /// throws InputError with BadFrames::fail, else returns nothing, and `problem` says
  /// why if it was empty.
  std::optional<Frame> read_usable(std::uint64_t number, std::string& problem);

  /// Checks a frame that was read (check_digits()) and sets its checksum.
  void complete(Frame& frame) const;

  /// Writes what the inputs want passed on of each block.
  void pass_on(io::ResultWriter& writer);

  TrajectoryInput input_;
  std::vector<std::string> defaults_;
  const TrajectoryRunSpec spec_;
  const std::optional<ResumePoint> point_;
  const RunSpec run_;
  std::unique_ptr<FrameStream> frames_;
};

/// Opens the inputs, starts StarPU, counts, writes the result file and stops StarPU.
/// Throws as TrajectoryRun and tasks::Runtime. One call at a time, as there is one
/// StarPU in a process.
RunSummary run_trajectory(const TrajectoryRunSpec& spec, const RunHooks& hooks = {});

}  // namespace starhist::driver
