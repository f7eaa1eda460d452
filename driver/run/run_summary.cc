#include "driver/run/run_summary.hh"

namespace starhist::driver {

std::vector<std::pair<std::string, std::uint64_t>> empty_selections(
    const HistogramLayout& layout, const std::vector<std::uint64_t>& empty_frames) {
  std::vector<std::pair<std::string, std::uint64_t>> empty;
  for (std::size_t s = 0; s < empty_frames.size(); ++s) {
    if (!layout.selections[s].empty() && empty_frames[s] > 0) {
      empty.emplace_back(layout.species[s], empty_frames[s]);
    }
  }
  return empty;
}

void add_work(const tasks::Runtime& runtime, const codelets::RunStatus& status,
              RunResult& result) {
  result.pairs = status.pairs_done();
  result.skipped_pairs = status.skipped_pairs();
  result.repeated_tasks = status.repeated_tasks();
  result.bytes_moved = runtime.bytes_moved();
  result.predictions = status.predictions();
  for (const tasks::Worker& worker : runtime.workers()) {
    const codelets::WorkerLoad& load =
        status.loads()[static_cast<std::size_t>(worker.id)];
    result.workers.push_back({worker.name, worker.cuda, worker.device, load.tasks,
                              load.pairs,
                              1e-9 * static_cast<double>(load.busy_nanoseconds)});
  }
  result.tasks = status.records();
}

}  // namespace starhist::driver
