#include "driver/run/counting_run.hh"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/run_status.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/run_hooks.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::driver {
namespace {

/// Calls RunHooks::progress at intervals from a separate thread, until finish() or
/// destruction. Does nothing without this hook.
class ProgressReporter {
 public:
  /// Both arguments must outlive this object.
  ProgressReporter(const RunHooks& hooks, const codelets::RunStatus& status)
      : hooks_(hooks), status_(status) {
    if (hooks_.progress) {
      thread_ = std::thread([this] { report_until_stopped(); });
    }
  }
  ~ProgressReporter() { stop(); }
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// Counts a submitted frame. Called by one thread.
  void add_frame() { ++frames_; }
  /// Sets the expected number of pairs of the whole run.
  void expect(std::uint64_t pairs) { expected_pairs_ = pairs; }
  bool expects_pairs() const { return expected_pairs_ > 0; }

  /// Ends the thread and calls the function a last time.
  void finish() {
    stop();
    if (hooks_.progress) {
      report();
    }
  }

 private:
  void report() const {
    hooks_.progress(
        {frames_, status_.pairs_done(), expected_pairs_, seconds_since(start_)});
  }

  void report_until_stopped() {
    std::unique_lock lock(mutex_);
    while (
        !stop_.wait_for(lock, hooks_.progress_interval, [this] { return stopped_; })) {
      report();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    stop_.notify_all();
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  const RunHooks& hooks_;
  const codelets::RunStatus& status_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> frames_ = 0;
  std::atomic<std::uint64_t> expected_pairs_ = 0;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

/// A frame with index and box only, for comparison with later frames.
Frame without_positions(const Frame& frame) {
  Frame copy;
  copy.index = frame.index;
  copy.box = frame.box;
  return copy;
}

/// Submits the frames until the source ends or the run is cancelled. Returns true if it
/// was cancelled. Sets RunResult::flat.
bool submit_frames(FrameSource& source, const RunSpec& spec, const RunHooks& hooks,
                   tasks::PairCounter& counter, ProgressReporter& progress,
                   RunResult& result) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point saved = Clock::now();
  std::optional<Frame> first;
  while (!hooks.cancel.stop_requested()) {
    if (spec.stream && !source.is_ready_within(std::chrono::milliseconds(100))) {
      counter.end_part([](const BlockCounts&, std::uint64_t) {});
      continue;
    }
    std::optional<Frame> frame = source.next();
    if (!frame) {
      if (!first) {
        refuse_no_frames(source.skipped());
      }
      return false;
    }
    if (!first) {
      check_range(spec.layout, *frame);
      result.flat = undeclared_plane(spec.layout, *frame);
      result.vacuum = undeclared_vacuum(spec.layout, *frame);
      first = without_positions(*frame);
    }
    if (!spec.stream && !progress.expects_pairs()) {
      progress.expect(spec.expected_pairs > 0
                          ? spec.expected_pairs
                          : spec.exclusions.work(spec.layout, *frame) *
                                spec.options.frames);
    }
    check_same_periodicity(*first, *frame);
    add_extent(spec.layout.region, *frame, result.extents);
    counter.add(std::move(*frame), spec.options.first_number + source.passed() - 1);
    if (hooks.checkpoint && Clock::now() - saved >= hooks.checkpoint_interval) {
      counter.end_part(hooks.checkpoint);
      saved = Clock::now();
    }
    for (Frame& used : counter.take_used_frames()) {
      source.recycle(std::move(used));
    }
    progress.add_frame();
  }
  return true;
}

}  // namespace

RunResult count_frames(FrameSource& source, tasks::Runtime& runtime,
                       const RunSpec& spec, const tasks::PairCounter::BlockSink& sink,
                       const RunHooks& hooks) {
  const double start = tasks::seconds_now();
  check_memory(spec.layout, spec.options, runtime);
  runtime.bytes_moved();  // resets the counter, which includes earlier runs
  RunResult result;
  std::exception_ptr bad_frame;
  tasks::PairCounter counter(
      runtime, spec.layout, spec.options,
      [&](BlockCounts&& block) {
        for (const std::uint64_t excluded : block.excluded) {
          result.excluded_pairs += excluded;
        }
        const std::uint32_t frames = block.frames;
        sink(std::move(block));
        result.frames += frames;
        ++result.blocks;
      },
      spec.exclusions);
  ProgressReporter progress(hooks, counter.status());
  try {
    result.cancelled = submit_frames(source, spec, hooks, counter, progress, result);
  } catch (const InputError&) {
    bad_frame = std::current_exception();
  }
  const bool stopped_stream = result.cancelled && spec.stream && source.passed() > 0;
  result.cancelled = result.cancelled && !stopped_stream;
  if (bad_frame) {
    counter.pause([](const BlockCounts&, std::uint64_t) {});  // full blocks only
  } else if (result.cancelled && hooks.checkpoint) {
    counter.pause(hooks.checkpoint);
  } else {
    counter.finish();
  }
  if (bad_frame) {
    std::rethrow_exception(bad_frame);
  }
  progress.finish();
  add_work(runtime, counter.status(), result);
  result.count_seconds = tasks::seconds_now() - start;
  result.skipped_frames = source.skipped();
  if (stopped_stream) {
    result.skipped_frames.emplace_back(
        "frames that the simulation sends after the signal");
  }
  return result;
}

}  // namespace starhist::driver
