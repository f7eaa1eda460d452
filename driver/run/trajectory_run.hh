#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/axes/molecular_vectors.hh"
#include "driver/lags/lag_list.hh"
#include "driver/lags/lag_plan.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/frames/frame_selection.hh"
#include "driver/run/frames/frame_stream.hh"
#include "driver/run/frames/trajectory_input.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "io/output/path_conflicts.hh"
#include "io/output/result_writer.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/run_record.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Largest number of species for which all pairs are counted by default.
inline constexpr std::size_t most_default_species = 40;

/// Bins that are partly chosen by default.
struct ChosenBins {
  UniformBins bins;
  /// The options that were not given: "--r-max", "--bin-width" or both.
  std::vector<std::string> defaults;
};

/// Chooses bins from a frame and the trajectory's length unit ("": unknown).
using BinChooser =
    std::function<ChosenBins(const Frame& frame, const std::string& length_unit)>;

/// Lags of a count between frames.
struct LagChoice {
  LagList list;
  bool in_time = false;            ///< the list is in the trajectory's time unit
  std::uint64_t every_origin = 1;  ///< LagOptions::every_origin
  bool unwrapped = false;          ///< LagOptions::unwrapped
};

/// Specification of a run. The fields are the options of `starhist rdf`; error messages
/// use the names of these options. `inputs`, `output` and either `bins` or
/// `choose_bins` are required.
struct TrajectoryRunSpec {
  std::vector<std::string> inputs;  ///< paths of trajectory files, read as one
  std::string structure;            ///< file with the atoms' names; "": no file
  std::string altloc = "first";     ///< ReadOptions::altloc
  std::string index;                ///< ReadOptions::index; "": no file
  std::string aliases;              ///< ReadOptions::aliases; "": no file
  bool guess_elements = false;      ///< ReadOptions::guess_elements
  /// Handling of HDF5 files whose data are in other files; the provenance lists those
  /// that are followed.
  io::ExternalFiles external = io::ExternalFiles::refused;
  std::string group;           ///< particle group of H5MD files; "": the only one
  std::string length_unit;     ///< for files that do not specify it: "nm"; "": unset
  std::string time_unit;       ///< for files that do not specify it: "ps"; "": unset
  std::optional<Box> box;      ///< replaces the box of every frame; empty: keeps it
  std::string box_file;        ///< ReadOptions::box_file; "": no file
  Plane plane = Plane::none;   ///< plane in which distances are measured
  std::array<bool, 3> open{};  ///< ReadOptions::open
  /// Space that the particles fill. size = 0: measured in the first selected frame, for
  /// a slab or cylinder.
  Region region = {};
  /// Rules that select the particles of each species (io::parse_species_groups());
  /// empty: the species of the file or, with `index`, the groups in `pairs`.
  std::vector<io::SpeciesGroup> species;
  /// Source of the species without rules. SpeciesBy::file: the file's species, or its
  /// elements if there are more than most_default_species species and `pairs` is empty.
  io::SpeciesBy species_by = io::SpeciesBy::file;
  bool all_pairs = false;  ///< count all pairs of any number of species
  io::RepeatedFrames repeated = io::RepeatedFrames::drop;
  FrameSelection frames;     ///< default: all
  TimeSelection times;       ///< of `frames`; default: all
  SelectionPart part;        ///< part of the frames selected by both; default: all
  FrameSelection all_parts;  ///< set by TrajectoryRun: frames of all parts
  BadFrames bad_frames = BadFrames::fail;

  UniformBins bins;  ///< from make_bins() [length unit of the trajectory]
  /// Chooses the bins from the first usable selected frame, in place of `bins`. Empty:
  /// use `bins`.
  BinChooser choose_bins = {};
  std::string pairs;  ///< species pairs: "O-O,H-O"; "": all pairs of the species
  Exclusion exclusion = Exclusion::none;
  /// Second quantity by which pairs are sorted; its count 0 means the default. Not with
  /// `plane`, `region`, `lags` or a running simulation.
  std::optional<SecondAxis> second = {};
  /// Count pairs between frames, for starhist vanhove; empty: pairs within frames. Not
  /// for a running simulation.
  std::optional<LagChoice> lags = {};
  bool particle_order = false;           ///< set Frame::order, as `lags` does
  std::uint32_t frames_per_block = 100;  ///< [>= 1]
  /// Use the length of the blocks of the run that is resumed, otherwise
  /// default_block_length(); frames_per_block only for a running simulation.
  bool choose_block_length = false;
  /// The value of resumed_block_length() if another process has read it; 0: read it.
  std::uint32_t resumed_block_length = 0;
  /// Maximum number of blocks of the run: blocks get the smallest length for which
  /// these hold all frames. 0: use frames_per_block.
  std::uint64_t blocks = 0;

  std::string output;  ///< path of the result file; OUTPUT.partial until it is complete
  /// Files that the caller writes after the run, such as its summary.
  std::vector<io::UsedPath> written_later;
  bool overwrite = false;  ///< replace an existing result
  /// Reads the result that `resume` continues, if starhist rdf does not write it.
  EarlierReader read_earlier = {};
  /// Resume a stopped or killed run to the same output; start from the beginning if
  /// there is none.
  bool resume = false;
  /// Checkpoint interval: the most counting time that a killed run can lose, or one
  /// frame [s, > 0].
  double checkpoint_seconds = 60.0;
  /// Additional entries of the provenance, such as {"option --r-max", "1.2"}.
  io::RunRecord as_written;
  /// Set by TrajectoryRun: extent_problem() of the first frame.
  std::string extent_warning = {};

  /// Memory for frames and counts [bytes]; 0: half of the machine's memory. Divided by
  /// the number of processes.
  std::uint64_t memory_bytes = 0;
  std::uint32_t processes_on_host = 1;    ///< processes of this run on a host [>= 1]
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

/// Replaces count_frames(), with the same arguments and the same result, for example to
/// count in several processes.
using FrameCounter = std::function<RunResult(
    tasks::Runtime& runtime, const RunSpec& spec,
    const tasks::PairCounter::BlockSink& sink, const RunHooks& hooks)>;

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
  /// TrajectoryInput::options().
  const io::ReadOptions& reading() const { return input_.options(); }
  const RunSpec& run() const { return run_; }
  /// The options for bins that were not given (ChosenBins::defaults).
  const std::vector<std::string>& default_options() const { return defaults_; }
  /// The count between frames; empty: pairs within frames.
  const std::optional<LagPlan>& lags() const { return lags_; }
  /// Notes about a count between frames, after count(): problems that may change
  /// results, and the conventions used.
  const std::vector<std::string>& lag_warnings() const { return lag_warnings_; }
  /// Properties that other processes of the same run must share: identity_record(),
  /// without times of files.
  io::RunRecord identity() const;
  /// The frames to count, including those of earlier runs.
  const FrameSelection& frames() const { return spec_.frames; }
  /// The kernels with which tasks::Runtime must be started.
  tasks::KernelChoice kernels() const { return spec_.kernels(); }
  /// True if only CPUs count: bins with explicit edges.
  bool needs_cpus() const;
  /// `settings`, without GPUs if needs_cpus(), and with all cores if they are needed.
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
  /// first one. Only before start_reading(). Throws InputError if it is unusable, if no
  /// frame is usable, or if r_max is far beyond its distances.
  Frame first_frame();

  /// Reads any frame of the trajectory. Only before start_reading().
  void read(FrameIndex index, Frame& frame) { input_.reader().read(index, frame); }

  /// A growing stream of the selected frames; it throws for each unusable frame. Only
  /// without start_reading(). While it exists nothing else may read; it must be
  /// destroyed before the counter of count() returns.
  std::unique_ptr<FrameStream> growing_stream();

  /// Throws RunError if an input file has changed since it was opened.
  void check_unchanged() const;

  /// Returns the frames, read ahead, for a caller that counts them itself in place of
  /// count(). Throws InputError if an output would replace an input. The frames live as
  /// long as the run.
  FrameSource& read_frames();
  /// A message for each selected frame that is left out of frames read to their end.
  std::vector<std::string> left_out();
  /// Interpretations of the input that users should know.
  std::vector<std::string> assumptions() const;
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

  /// Counts between frames and writes the blocks.
  RunResult count_between_frames(tasks::Runtime& runtime, const RunHooks& hooks,
                                 const std::function<void(LaggedBlock&&)>& sink,
                                 std::vector<std::string>& conventions);

  /// Counts by distance and second axis.
  RunResult count_second_axis(tasks::Runtime& runtime, const RunHooks& hooks,
                              const tasks::PairCounter::BlockSink& sink);

  /// Writes the data that the inputs pass on for each block.
  void pass_on(io::ResultWriter& writer);

  TrajectoryInput input_;
  std::vector<std::string> defaults_;
  const TrajectoryRunSpec spec_;
  const std::optional<LagPlan> lags_;
  const std::optional<ResumePoint> point_;
  const RunSpec run_;
  const std::unique_ptr<MolecularVectors> vectors_;
  std::vector<std::string> lag_warnings_;
  std::unique_ptr<FrameStream> frames_;
};

/// Opens the inputs, starts StarPU, counts, writes the result file and stops StarPU.
/// Throws like TrajectoryRun and tasks::Runtime. One call at a time, because a process
/// has one StarPU.
RunSummary run_trajectory(const TrajectoryRunSpec& spec, const RunHooks& hooks = {});

}  // namespace starhist::driver
