#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/run/run_summary.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::driver {

/// A run to simulate.
struct SimulatedRun {
  HistogramLayout layout;  ///< species, pairs and bins
  Frame frame;             ///< representative of all frames
  /// CountingOptions::frames is the number of frames. begun_block and first_number are
  /// not used.
  tasks::CountingOptions options;
  std::uint32_t ranks = 1;  ///< equal machines, each with a rank [>= 1]
  int cpu_workers = 0;      ///< of each machine [>= 0]
  std::string cpu_variant;  ///< KernelChoice::cpu_variant of the simulated machine
  double seconds_to_read_a_frame = 0.0;  ///< by all readers of a rank [s, >= 0]
  double seconds_to_accept_a_frame =
      0.0;                        ///< by the submitting thread, for GPUs [s, >= 0]
  double seconds_to_start = 0.0;  ///< before the first of them [s, >= 0]
  tasks::SubmissionSeconds submission;  ///< of each rank
  /// Properties of each GPU, or one entry for all of them.
  std::vector<perfmodels::GpuProperties> gpus{{}};
  std::string trace;  ///< path of the list of tasks (CSV); "": none
};

/// Result of a simulation.
struct SimulatedResult {
  double seconds = 0.0;           ///< time of the run on the simulated machine [s]
  std::uint64_t pairs = 0;        ///< of all ranks
  std::uint64_t bytes_moved = 0;  ///< between memories of one rank
  std::string scheduler;
  // Plan of the run on one of the machines (tasks::BatchPlan).
  bool clustered = false;
  std::uint64_t frames_per_batch = 0;
  std::uint64_t most_pairs_per_task = 0;
  std::uint64_t most_pairs_per_gpu_task = 0;
  double cpu_share = 0.0;
  /// True if the models of all kinds of workers are based on measurements.
  bool measured = false;
  /// Pairs counted with labels, whose tasks use estimates in place of models.
  std::uint64_t estimated_pairs = 0;
  std::vector<WorkerSummary> workers;  ///< of one rank
};

// Exchange of bytes between two programs of the same machine and version. Reading
// throws InputError for bytes of another version.

void write_run(std::ostream& out, const SimulatedRun& run);
SimulatedRun read_run(std::istream& in);

void write_result(std::ostream& out, const SimulatedResult& result);
SimulatedResult read_result(std::istream& in);

}  // namespace starhist::driver
