#include "codelets/measured_task.hh"

namespace starhist::codelets {
namespace {

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::optional<TaskRecord> measured_task(const starpu_task& task) {
  const starpu_profiling_task_info* info = task.profiling_info;
  if (info == nullptr) {
    return std::nullopt;
  }
  TaskRecord record;
  record.name = task.name == nullptr ? "" : task.name;
  record.worker = info->workerid;
  record.start = seconds(info->start_time);
  record.end = seconds(info->end_time);
  record.predicted = task.predicted > 0.0 ? 1e-6 * task.predicted : 0.0;
  return record;
}

double clock_seconds() {
  return 1e-6 * starpu_timing_now();
}

}  // namespace starhist::codelets
