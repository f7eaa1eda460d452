#include "driver/run/progress_reporter.hh"

#include "codelets/core/base/seconds_since.hh"

namespace starhist::driver {

ProgressReporter::ProgressReporter(const RunHooks& hooks,
                                   const codelets::RunStatus& status)
    : hooks_(hooks), status_(status) {
  if (hooks_.progress) {
    thread_ = std::thread([this] { report_until_stopped(); });
  }
}

ProgressReporter::~ProgressReporter() {
  stop();
}

void ProgressReporter::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void ProgressReporter::finish() {
  stop();
  if (hooks_.progress) {
    report();
  }
}

void ProgressReporter::report() const {
  hooks_.progress(
      {frames_, status_.pairs_done(), expected_pairs_, seconds_since(start_)});
}

void ProgressReporter::report_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, hooks_.progress_interval, [this] { return stopped_; })) {
    report();
  }
}

}  // namespace starhist::driver
