#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/run/counting_run.hh"
#include "driver/run/frame_selection.hh"
#include "driver/run/frame_stream.hh"
#include "driver/run/run_hooks.hh"
#include "driver/run/run_summary.hh"
#include "driver/run/trajectory_input.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/run_record.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// What `starhist rdf` is asked for: the fields are its options, by whose names
/// messages call them. Required are inputs, output and bins.
struct TrajectoryRunSpec {
  std::vector<std::string> inputs;  ///< trajectory files, read as one
  std::string structure;            ///< file that names the atoms; "": none
  std::string group;                ///< particle group of H5MD files; "": the only one
  std::string length_unit;          ///< of files that do not say theirs, as "nm"
  std::optional<Box> box;           ///< replaces the box of every frame
  /// How species are made of particles (io::parse_species_groups); empty: as in the
  /// file.
  std::vector<io::SpeciesGroup> species;
  FrameSelection frames;  ///< default: all
  BadFrames bad_frames = BadFrames::fail;

  UniformBins bins;                       ///< make_bins(); in the length unit
  std::string pairs;                      ///< "O-O,H-O"; "": all pairs of species
  Exclusion exclusion = Exclusion::none;  ///< pairs that do not count
  std::uint32_t frames_per_block = 100;   ///< of counts in the result; at least 1

  std::string output;      ///< result file; OUTPUT.partial until it is complete
  bool overwrite = false;  ///< replace an existing result
  /// Further entries of the provenance, as {"option --r-max", "1.2"}.
  io::RunRecord as_written;

  std::uint64_t memory_bytes = 0;         ///< for frames and counts; 0: half of all
  std::uint64_t most_pairs_per_task = 0;  ///< 0: chosen from the work
  tasks::Clustering clusters = tasks::Clustering::automatic;
  tasks::CpuMode cpu_mode = tasks::CpuMode::core;
  std::string cpu_variant;            ///< tasks::KernelChoice
  std::string cuda_variant = "auto";  ///< tasks::KernelChoice
  bool record_tasks = false;          ///< fill RunResult::tasks

  /// How the inputs are opened.
  io::ReadOptions reading() const;
  /// The kernels that tasks::Runtime is to be started with.
  tasks::KernelChoice kernels() const;
};

/// A run from trajectory files to a result file. It writes nothing to standard output
/// and standard error itself, does not end the process, and leaves environment and
/// signal handlers alone. StarPU can print remarks of its own. What the environment is
/// worth: tasks/runtime/recommended_environment.hh.
class TrajectoryRun {
 public:
  /// Opens the inputs. Throws InputError when they cannot be read, when they have not
  /// the species, frames or molecules that are asked for.
  explicit TrajectoryRun(TrajectoryRunSpec spec);

  const io::TrajectoryInfo& info() const { return input_.info(); }
  const RunSpec& run() const { return run_; }

  /// The frame by which the work is planned: the first selected one with a pair to
  /// count, the last one where none has any. Before start_reading() only. Throws
  /// InputError for a frame that count() would refuse.
  Frame planned_frame();

  /// Begins to read ahead, which goes on while a tasks::Runtime starts: with GPUs that
  /// takes some tenths of a second. Else count() begins.
  void start_reading();

  /// Counts the frames and writes the result file, once. `runtime` was started with
  /// TrajectoryRunSpec::kernels(). A cancelled or failed run leaves the blocks that it
  /// has counted in OUTPUT.partial. Throws as count_frames(); InputError when the
  /// result file cannot be created or would replace an input, RunError when it cannot
  /// be written.
  RunSummary count(tasks::Runtime& runtime, const RunHooks& hooks = {});

 private:
  const TrajectoryRunSpec spec_;
  TrajectoryInput input_;
  const RunSpec run_;
  std::unique_ptr<FrameStream> frames_;
};

/// All of that at once, StarPU's start and end included.
RunSummary run_trajectory(const TrajectoryRunSpec& spec, const RunHooks& hooks = {});

}  // namespace starhist::driver
