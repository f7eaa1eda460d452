#pragma once

#include <string>
#include <vector>

#include "codelets/run_status.hh"
#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// Writes one line of CSV per task, in order of their start: task (species pair),
/// worker, kind (cpu, cuda), pairs, frames, start and end [s] from the start of the
/// first task, predicted time [s] (empty without a prediction). TaskRecord::worker is
/// an index of `workers`. Throws RunError if the file cannot be written.
void write_task_trace(const std::string& path, std::vector<codelets::TaskRecord> tasks,
                      const std::vector<WorkerSummary>& workers);

}  // namespace starhist::driver
