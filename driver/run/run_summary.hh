#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/counting/exclusion.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/run_status.hh"
#include "driver/lags/lag_notes.hh"
#include "io/selection/species_by.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Work of one StarPU worker in a run.
struct WorkerSummary {
  std::string name;           ///< StarPU's name: "CPU 0"
  bool cuda = false;          ///< a worker of a GPU
  std::string device;         ///< model of the GPU; "" for a CPU worker
  std::uint64_t tasks = 0;    ///< number of counting tasks executed
  std::uint64_t pairs = 0;    ///< number of pairs in these tasks
  double busy_seconds = 0.0;  ///< sum of the times of these tasks [s]
};

/// Work of one of several processes that count the same run.
struct RankSummary {
  std::uint32_t rank = 0;
  std::string host;
  std::uint64_t units = 0;  ///< number of work units
  std::uint64_t pairs = 0;  ///< number of pairs in its tasks
  double seconds = 0.0;     ///< counting time [s]
  /// Fraction of that time in which its workers counted, averaged over them [0, 1].
  double busy = 0.0;
  /// Times without counting, because there was no work unit, or no frame was read yet
  /// [s].
  double waited_for_work = 0.0;
  double waited_for_reading = 0.0;
};

/// measured_extent() of the counted frames of a slab or cylinder.
struct MeasuredExtents {
  std::uint64_t frames = 0;
  double sum = 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  std::uint64_t particles = 0;  ///< of the last frame, the most of any process

  /// Adds frames that another process has counted.
  void add(const MeasuredExtents& other) {
    frames += other.frames;
    sum += other.sum;
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
    particles = std::max(particles, other.particles);
  }
};

/// Result of count_frames() without the counts.
struct RunResult {
  std::uint64_t frames = 0;  ///< number of frames in the blocks passed to the sink
  std::uint64_t blocks = 0;  ///< number of blocks passed to the sink
  /// Number of pairs that tasks have counted, for speeds. It includes excluded pairs if
  /// they are counted first and then subtracted.
  std::uint64_t pairs = 0;
  std::uint64_t excluded_pairs = 0;  ///< number of excluded pairs of the frames
  std::uint64_t skipped_pairs = 0;   ///< part of `pairs`: skipped by their clusters
  std::uint64_t repeated_tasks = 0;  ///< GPU tasks that a CPU worker had to repeat
  std::uint64_t bytes_moved = 0;     ///< bytes copied over all links between memories
  /// undeclared_plane() of the first frame.
  Plane flat = Plane::none;
  std::array<double, 3> vacuum{};  ///< undeclared_vacuum() of the first frame
  /// True: the blocks have pairs, but all of them lie outside the bins.
  bool no_pair_in_bins = false;
  /// True: the blocks have frames, but no pairs. Not of a count between frames, where
  /// one particle has displacements.
  bool no_pair = false;
  /// Number of pairs in the first bin if the next nine are empty.
  std::uint64_t coincident = 0;
  MeasuredExtents extents;     ///< without frames unless the region is bounded
  double count_seconds = 0.0;  ///< time from the call to the last counts [s]
  bool cancelled = false;      ///< ended by RunHooks::cancel before the last frame
  codelets::RunStatus::Predictions predictions;  ///< errors of predicted task times
  std::vector<WorkerSummary> workers;
  std::vector<RankSummary> ranks;  ///< empty for one process
  /// Every task; empty unless CountingOptions::record_tasks is set.
  std::vector<codelets::TaskRecord> tasks;
  /// A message for each frame that was left out.
  std::vector<std::string> skipped_frames;
  LagNotes lags;  ///< of a count between frames
};

/// Result of TrajectoryRun::count().
struct RunSummary : RunResult {
  std::string output;                ///< path of the result file
  std::uint64_t frames_before = 0;   ///< number of frames counted by earlier runs
  std::uint64_t skipped_before = 0;  ///< number of frames left out by earlier runs
  /// Number of frames in the result, or in the files of a cancelled run, including
  /// earlier runs.
  std::uint64_t frames_kept = 0;
  std::uint64_t blocks_kept = 0;  ///< number of blocks of these frames in the file
  /// Time from the start of `starhist rdf` until StarPU runs [s]; the first frames are
  /// read meanwhile. 0 after TrajectoryRun::count().
  double start_seconds = 0.0;
  double seconds = 0.0;  ///< time of TrajectoryRun::count() [s]
  UniformBins bins;
  /// The machine may have GPUs, which do not count these bins.
  bool gpus_left_out = false;
  std::string length_unit;  ///< of `bins`; "": unknown
  /// Options that were not given and have default values: "--r-max", "--bin-width".
  std::vector<std::string> default_options;
  /// Smallest Box::inscribed_radius of the frames in the result.
  double inscribed_radius = std::numeric_limits<double>::infinity();
  /// True if the boxes of some block, for boxes with a volume, differ: g(r) then ends
  /// at inscribed_radius.
  bool boxes_change = false;
  /// Largest distance of two points in the boxes of the frames; infinite unless each
  /// block has one box.
  double covering_radius = std::numeric_limits<double>::infinity();
  /// True if the box of some frame has no volume, and --box was not given.
  bool without_volume = false;
  Exclusion exclusion = Exclusion::none;
  /// Frames of the result, including earlier runs, in which a selection that changes
  /// between frames is empty: its species, and their number. Without those that are
  /// never empty.
  std::vector<std::pair<std::string, std::uint64_t>> empty_selections;
  /// Source of the species, their number, and the number of species in the file.
  io::SpeciesBy species_by = io::SpeciesBy::file;
  /// True: the file has too many species, so elements define them instead.
  bool species_by_default = false;
  std::size_t species = 0;
  std::size_t species_of_file = 0;
  /// Warnings about numbers that may be wrong: TrajectoryRun::start_warnings(), and
  /// those known after counting.
  std::vector<std::string> start_warnings;
  std::vector<std::string> warnings;
  /// ReadFrom::assumptions, and the assumption that particles without names are one
  /// species.
  std::vector<std::string> assumptions;
  std::string scheduler;       ///< name of StarPU's scheduler
  std::string cpu_variant;     ///< selected CPU kernel, such as "avx512" or "baseline"
  std::string cuda_variant;    ///< KernelChoice::cuda_variant
  int threads_per_worker = 1;  ///< threads of a CPU worker
};

/// RunSummary::empty_selections. `empty_frames`: as BlockCounts::empty_frames.
std::vector<std::pair<std::string, std::uint64_t>> empty_selections(
    const HistogramLayout& layout, const std::vector<std::uint64_t>& empty_frames);

/// Sets the fields of `result` that follow from the tasks: pairs, tasks, bytes,
/// workers.
void add_work(const tasks::Runtime& runtime, const codelets::RunStatus& status,
              RunResult& result);

}  // namespace starhist::driver
