#include "driver/report/task_trace.hh"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "driver/report/text_output.hh"

namespace starhist::driver {

void write_task_trace(const std::string& path, std::vector<codelets::TaskRecord> tasks,
                      const std::vector<WorkerSummary>& workers) {
  std::sort(tasks.begin(), tasks.end(),
            [](const codelets::TaskRecord& a, const codelets::TaskRecord& b) {
              return a.start < b.start;
            });
  const double origin = tasks.empty() ? 0.0 : tasks.front().start;
  write_text(path, [&](std::ostream& file) {
    file << "task,worker,kind,pairs,frames,start,end,predicted\n"
         << std::fixed << std::setprecision(7);
    for (const codelets::TaskRecord& task : tasks) {
      const WorkerSummary& worker = workers[static_cast<std::size_t>(task.worker)];
      file << '"' << task.name << "\",\"" << worker.name << "\","
           << (worker.cuda ? "cuda" : "cpu") << ',' << task.pairs << ',' << task.frames
           << ',' << task.start - origin << ',' << task.end - origin << ',';
      if (task.predicted > 0.0) {
        file << task.predicted;
      }
      file << '\n';
    }
  });
}

}  // namespace starhist::driver
