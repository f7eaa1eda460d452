#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/exclusion.hh"
#include "codelets/run_status.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Work of one worker in a run.
struct WorkerSummary {
  std::string name;
  bool cuda = false;
  std::string device;  ///< of a GPU: its model
  std::uint64_t tasks = 0;
  std::uint64_t pairs = 0;
  double busy_seconds = 0.0;
};

/// What a run did and how fast. `pairs` are those that were gone through, for speeds:
/// excluded ones too, if they are counted first and then subtracted.
struct RunSummary {
  std::string output;
  std::uint64_t frames = 0;
  std::uint64_t blocks = 0;
  std::uint64_t pairs = 0;
  /// Until StarPU runs; the first frames are read meanwhile.
  double start_seconds = 0.0;
  double seconds = 0.0;        ///< from then to the complete result file
  double count_seconds = 0.0;  ///< from then to the last counts
  codelets::RunStatus::Predictions predictions;
  Exclusion exclusion = Exclusion::none;
  std::uint64_t excluded_pairs = 0;  ///< do not count
  std::uint64_t skipped_pairs = 0;   ///< out of range cluster by cluster
  std::uint64_t repeated_tasks = 0;  ///< refused by a GPU, done by a CPU worker
  std::uint64_t bytes_moved = 0;     ///< over all links between memories
  std::string scheduler;
  std::string cpu_variant;
  std::string cuda_variant;
  int threads_per_worker = 1;
  std::vector<WorkerSummary> workers;
  std::vector<std::string> skipped_frames;
};

std::vector<WorkerSummary> summarize_workers(const tasks::Runtime& runtime,
                                             const codelets::RunStatus& status);

/// A few lines for people: pairs, seconds, 10^9 pairs/s in total and per worker.
std::string summary_text(const RunSummary& summary);

/// The same as one JSON object.
std::string summary_json(const RunSummary& summary);

}  // namespace starhist::driver
