#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/exclusion.hh"
#include "codelets/run_status.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Work of one StarPU worker in a run.
struct WorkerSummary {
  std::string name;           ///< as StarPU calls it: "CPU 0"
  bool cuda = false;          ///< of a GPU
  std::string device;         ///< of a GPU: its model
  std::uint64_t tasks = 0;    ///< counting tasks that it has done
  std::uint64_t pairs = 0;    ///< in these tasks
  double busy_seconds = 0.0;  ///< that these tasks took
};

/// What count_frames() has counted, and how fast.
struct RunResult {
  std::uint64_t frames = 0;  ///< in the blocks that the sink was given
  std::uint64_t blocks = 0;  ///< that the sink was given
  /// Pairs that were gone through, for speeds: excluded ones too, if they are counted
  /// first and then subtracted.
  std::uint64_t pairs = 0;
  std::uint64_t excluded_pairs = 0;  ///< that do not count, in the blocks
  std::uint64_t skipped_pairs = 0;   ///< of `pairs`: out of range cluster by cluster
  std::uint64_t repeated_tasks = 0;  ///< refused by a GPU, done by a CPU worker
  std::uint64_t bytes_moved = 0;     ///< over all links between memories
  double count_seconds = 0.0;        ///< from the call to the last counts
  bool cancelled = false;  ///< ended by RunHooks::cancel, before the last frame
  codelets::RunStatus::Predictions predictions;  ///< of the times of tasks
  std::vector<WorkerSummary> workers;
  std::vector<codelets::TaskRecord> tasks;  ///< with CountingOptions::record_tasks
  /// One sentence for each frame that was left out.
  std::vector<std::string> skipped_frames;
};

/// What a run over a trajectory did.
struct RunSummary : RunResult {
  std::string output;  ///< path of the result file
  /// From the start of the program until StarPU runs; the first frames are read
  /// meanwhile.
  double start_seconds = 0.0;
  double seconds = 0.0;  ///< from then to the complete result file
  Exclusion exclusion = Exclusion::none;
  std::string scheduler;  ///< of StarPU
  std::string cpu_variant;
  std::string cuda_variant;
  int threads_per_worker = 1;
};

/// The work of all workers of the runtime.
std::vector<WorkerSummary> summarize_workers(const tasks::Runtime& runtime,
                                             const codelets::RunStatus& status);

}  // namespace starhist::driver
