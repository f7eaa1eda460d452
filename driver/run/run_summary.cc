#include "driver/run/run_summary.hh"

namespace starhist::driver {

std::vector<WorkerSummary> summarize_workers(const tasks::Runtime& runtime,
                                             const codelets::RunStatus& status) {
  std::vector<WorkerSummary> workers;
  for (const tasks::Worker& worker : runtime.workers()) {
    const codelets::WorkerLoad& load =
        status.loads()[static_cast<std::size_t>(worker.id)];
    workers.push_back({worker.name, worker.cuda, worker.device, load.tasks, load.pairs,
                       1e-9 * static_cast<double>(load.busy_nanoseconds)});
  }
  return workers;
}

}  // namespace starhist::driver
