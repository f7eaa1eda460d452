#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

namespace starhist {

/// Work that one worker has done.
struct WorkerLoad {
  std::atomic<std::uint64_t> tasks{0};
  std::atomic<std::uint64_t> pairs{0};
  std::atomic<std::uint64_t> busy_nanoseconds{0};
};

/// What the tasks of a run share with the thread that submits them: the first error,
/// upon which the remaining tasks return at once, and the work done so far.
class RunStatus {
 public:
  explicit RunStatus(std::size_t worker_count) : loads_(worker_count) {}

  /// Keeps the error if it is the first. Callable from any thread.
  void fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) {
      error_ = std::move(error);
    }
    stopped_ = true;
  }
  /// Tasks that have not started yet return without counting.
  void stop() noexcept { stopped_ = true; }
  bool stopped() const noexcept { return stopped_; }

  void rethrow_error() const {
    const std::lock_guard lock(mutex_);
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

  std::vector<WorkerLoad>& loads() { return loads_; }
  const std::vector<WorkerLoad>& loads() const { return loads_; }
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
  std::vector<WorkerLoad> loads_;
};

}  // namespace starhist
