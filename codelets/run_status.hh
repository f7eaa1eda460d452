#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

namespace starhist::codelets {

/// Work of one worker since the start of the run.
struct WorkerLoad {
  std::atomic<std::uint64_t> tasks{0};             ///< number of tasks that have ended
  std::atomic<std::uint64_t> pairs{0};             ///< number of pairs counted
  std::atomic<std::uint64_t> busy_nanoseconds{0};  ///< sum of the times of the tasks
};

/// A task that has ended.
struct TaskRecord {
  std::string name;         ///< name of the species pair, such as "H-O"
  int worker = 0;           ///< StarPU's number of the worker [>= 0]
  std::uint64_t pairs = 0;  ///< number of pairs counted
  std::uint32_t frames = 0;
  double start = 0.0;      ///< [s], StarPU's clock
  double end = 0.0;        ///< [s], the same clock
  double predicted = 0.0;  ///< predicted time [s]; 0: unknown
};

/// State shared by the tasks of a run and the submitting thread: the first error, upon
/// which tasks that have not started return at once, and the work done so far. All
/// functions may be called from any thread, unless stated otherwise.
class RunStatus {
 public:
  explicit RunStatus(std::size_t worker_count) : loads_(worker_count) {}

  /// Keeps the error if it is the first one, and stops.
  void fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) {
      error_ = std::move(error);
    }
    stopped_ = true;
  }
  /// Makes tasks that have not started return without counting, and counting tasks of
  /// CPU workers stop within milliseconds.
  void stop() noexcept { stopped_ = true; }
  bool stopped() const noexcept { return stopped_; }
  /// stopped(), for kernels.
  const std::atomic<bool>& stop_flag() const noexcept { return stopped_; }

  /// Rethrows the error kept by fail(), if any.
  void rethrow_error() const {
    const std::lock_guard lock(mutex_);
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

  /// Adds a task that has ended to the loads and the predictions.
  void record(const TaskRecord& task) {
    WorkerLoad& load = loads_[static_cast<std::size_t>(task.worker)];
    load.tasks += 1;
    load.pairs += task.pairs;
    load.busy_nanoseconds += static_cast<std::uint64_t>(1e9 * (task.end - task.start));
    const std::lock_guard lock(mutex_);
    if (keep_records_) {
      records_.push_back(task);
    }
    if (task.predicted > 0.0 && task.end > task.start) {
      const double seconds = task.end - task.start;
      const double error = task.predicted / seconds - 1.0;
      ++predictions_.tasks;
      predictions_.error += error;
      predictions_.absolute_error += std::abs(error);
      predictions_.seconds += seconds;
      predictions_.absolute_seconds += std::abs(task.predicted - seconds);
    }
  }
  /// Makes record() keep every TaskRecord for records(). Call it before tasks run.
  void keep_records() { keep_records_ = true; }
  /// The kept records. Call it after the last task.
  const std::vector<TaskRecord>& records() const { return records_; }

  /// Sums over the tasks with a predicted time. The error of a task is predicted /
  /// measured time - 1.
  struct Predictions {
    std::uint64_t tasks = 0;        ///< number of tasks
    double error = 0.0;             ///< sum of errors
    double absolute_error = 0.0;    ///< sum of |error|
    double seconds = 0.0;           ///< sum of measured times [s]
    double absolute_seconds = 0.0;  ///< sum of |predicted - measured time| [s]
  };
  Predictions predictions() const {
    const std::lock_guard lock(mutex_);
    return predictions_;
  }

  /// Number of tasks that a GPU refused and a CPU worker repeats.
  void add_repeated_task() noexcept { ++repeated_tasks_; }
  std::uint64_t repeated_tasks() const noexcept { return repeated_tasks_; }

  /// Number of pairs that were counted as out of range cluster by cluster.
  void add_skipped_pairs(std::uint64_t pairs) noexcept { skipped_pairs_ += pairs; }
  std::uint64_t skipped_pairs() const noexcept { return skipped_pairs_; }

  /// Loads by worker.
  std::vector<WorkerLoad>& loads() { return loads_; }
  const std::vector<WorkerLoad>& loads() const { return loads_; }
  /// Number of pairs that all workers have counted.
  std::uint64_t pairs_done() const {
    std::uint64_t pairs = 0;
    for (const WorkerLoad& load : loads_) {
      pairs += load.pairs;
    }
    return pairs;
  }

 private:
  mutable std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> repeated_tasks_{0};
  std::atomic<std::uint64_t> skipped_pairs_{0};
  std::vector<WorkerLoad> loads_;
  bool keep_records_ = false;
  std::vector<TaskRecord> records_;
  Predictions predictions_;
};

}  // namespace starhist::codelets
