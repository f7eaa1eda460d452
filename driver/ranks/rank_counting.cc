#include "driver/ranks/rank_counting.hh"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/measured_task.hh"
#include "driver/axes/second_axis_counter.hh"
#include "driver/ranks/lag_walk.hh"
#include "driver/run/run_checks.hh"
#include "tasks/pair_counter.hh"

namespace starhist::driver {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Reports the progress to the coordinator at intervals.
class PulseThread {
 public:
  PulseThread(RankLink& link, const codelets::RunStatus& status)
      : thread_([this, &link, &status](const std::stop_token& stop) {
          constexpr milliseconds interval{500};
          std::unique_lock lock(mutex_);
          while (!stop_.wait_for(lock, stop, interval,
                                 [&stop] { return stop.stop_requested(); })) {
            link.send(Pulse{status.pairs_done()});
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any stop_;
  std::jthread thread_;
};

/// Counts work units on one rank.
class UnitCounting {
 public:
  UnitCounting(const RankRun& run, tasks::Runtime& runtime, RankLink& link)
      : run_(run),
        runtime_(runtime),
        link_(link),
        read_ahead_(run.read_ahead),
        counter_(make_counter()) {
    if (run.lags != nullptr) {
      walk_.emplace(*run.lags);
    }
    if (run.spec->layout.second) {
      second_.emplace(run.spec->layout, run.spec->exclusions, run.vectors,
                      run.spec->options.memory_bytes);
    }
  }

  RankWork count() {
    const Clock::time_point start = Clock::now();
    const double origin = codelets::clock_seconds();
    runtime_.bytes_moved();  // resets the counter
    const PulseThread pulse(link_, counter_.status());
    while (count_next()) {
    }
    counter_.finish();
    work_.result.count_seconds = seconds_since(start);
    add_work(runtime_, counter_.status(), work_.result);
    if (walk_) {
      work_.result.lags = walk_->notes();
    }
    for (codelets::TaskRecord& task : work_.result.tasks) {
      task.start -= origin;
      task.end -= origin;
    }
    return std::move(work_);
  }

 private:
  /// Each unit is a block of the counter; no unit fills it, so each is ended
  /// explicitly.
  std::uint32_t block_length() const {
    return static_cast<std::uint32_t>(run_.most_frames_per_unit + 1);
  }

  tasks::PairCounter make_counter() {
    tasks::CountingOptions options = run_.spec->options;
    options.frames_per_block = block_length();
    options.expected_in_block = static_cast<std::uint32_t>(run_.most_frames_per_unit);
    options.first_number = 0;
    options.begun_block.reset();
    HistogramLayout by_distance = run_.spec->layout;
    by_distance.second.reset();
    return {runtime_, by_distance, options,
            [this](BlockCounts&& block) { send(std::move(block)); },
            run_.spec->exclusions};
  }

  /// Counts a frame, or waits a little. Returns false after the last one.
  bool count_next() {
    tell_signal();
    receive(milliseconds(0));
    if (stopped_) {
      end_unit();
      return false;
    }
    if (units_.empty()) {
      if (no_more_) {
        return false;
      }
      const Clock::time_point start = Clock::now();
      const bool idle = counting_.empty();
      counter_.deliver();
      receive(milliseconds(1));
      work_.waited_for_work += idle ? seconds_since(start) : 0.0;
      return true;
    }
    if (same_frame()) {
      if (!add_rows()) {
        return false;
      }
    } else if (std::optional<Frame> frame = next_frame()) {
      if (!add(std::move(*frame))) {
        return false;
      }
    }
    if (!units_.empty() && current_.end == units_.front().end) {
      end_unit();
    }
    return true;
  }

  void tell_signal() {
    if (run_.stop.stop_requested() && !told_) {
      told_ = true;
      link_.send(StopRequest{run_.signal()});
    }
  }

  void receive(milliseconds time) {
    while (std::optional<ToRank> message = link_.receive(time)) {
      time = milliseconds(0);
      if (const auto* unit = std::get_if<WorkUnit>(&*message)) {
        take(*unit);
      }
      no_more_ = no_more_ || std::holds_alternative<NoMoreUnits>(*message);
      stopped_ = stopped_ || std::holds_alternative<StopNow>(*message);
    }
  }

  /// A frame with divided rows is read once for all its consecutive units.
  void take(const WorkUnit& unit) {
    if (reported_) {
      return;
    }
    if (walk_) {
      walk_->append(unit, *run_.frames);
    } else if (!is_read_ahead(unit) &&
               (unit.rows.all() || unit.begin != last_appended_)) {
      run_.frames->append(unit.begin, unit.end);
    }
    last_appended_ = unit.begin;
    if (units_.empty()) {
      begin_unit(unit);
    }
    units_.push_back(unit);
  }

  /// True if the first unit's frames are being read ahead; otherwise those are skipped.
  bool is_read_ahead(const WorkUnit& unit) {
    const auto ahead = std::exchange(read_ahead_, {});
    if (!ahead || (ahead->begin == unit.begin && ahead->end == unit.end)) {
      return ahead.has_value();
    }
    for (std::uint64_t k = 0; k < ahead->frames(); ++k) {
      try {
        run_.frames->recycle(run_.frames->next().value());
      } catch (const InputError&) {
        run_.frames->leave_out();
      }
    }
    return false;
  }

  void begin_unit(const WorkUnit& unit) {
    current_ = UnitCounts();
    current_.unit = unit;
    current_.end = unit.begin;
  }

  /// True if the first unit has other rows of the previous unit's frame.
  bool same_frame() const {
    const WorkUnit& unit = units_.front();
    return !unit.rows.all() && divided_number_ == unit.begin;
  }

  /// The next frame of the first unit. Empty if it is not read yet or was left out, or
  /// if a frame before the unit was taken as an origin.
  std::optional<Frame> next_frame() {
    const WorkUnit& unit = units_.front();
    const Clock::time_point start = Clock::now();
    if (!run_.frames->is_ready_within(milliseconds(2))) {
      const bool idle = counting_.empty() && frames_in_unit_ == 0;
      counter_.deliver();
      work_.waited_for_reading += idle ? seconds_since(start) : 0.0;
      return std::nullopt;
    }
    divided_number_ = unit.begin;
    divided_problem_.clear();
    std::optional<Frame> frame;
    try {
      frame = run_.frames->next();
    } catch (const InputError& error) {
      if (run_.bad_frames == BadFrames::fail) {
        report(error);
        return std::nullopt;
      }
      divided_problem_ = error.what();
      if (!walk_ || !walk_->is_before(unit)) {
        leave_out(error.what());
      }
      if (walk_) {
        walk_->leave_out();
      }
      run_.frames->leave_out();
      return std::nullopt;
    }
    if (walk_ && walk_->is_before(unit)) {
      lead_in(*std::move(frame));
      return std::nullopt;
    }
    return frame;
  }

  void lead_in(Frame&& frame) {
    try {
      walk_->lead_in(std::move(frame));
    } catch (const InputError& error) {
      report(error);
    }
  }

  void leave_out(const std::string& why) {
    current_.left_out.push_back({current_.end++, why});
  }

  /// Number of the next frame in the counter.
  std::uint64_t next_number() const {
    return sequence_ * block_length() + (current_.end - units_.front().begin);
  }

  /// Returns false if the frame is unusable.
  bool add(Frame&& frame) {
    try {
      if (walk_) {
        frame = walk_->add(std::move(frame));
        check_digits(run_.spec->layout,
                     frame);  // earlier positions in this frame's box
      }
      if (second_) {
        second_->add(frame, sequence_);
      }
      check_same_periodicity(run_.first, frame);
      if (!walk_) {
        facts_ = facts_of(run_.spec->layout, run_.spec->exclusions, frame);
      }
      if (units_.front().rows.number == 0) {
        add_extent(run_.spec->layout.region, frame, work_.result.extents);
      }
      counter_.add(std::move(frame), next_number(), units_.front().rows);
      frame_added();
      for (Frame& used : counter_.take_used_frames()) {
        if (!walk_) {  // the walk keeps the positions
          run_.frames->recycle(std::move(used));
        }
      }
      return true;
    } catch (const InputError& error) {
      report(error);
      return false;
    }
  }

  /// Adds other rows of the last frame. Returns false if the frame is unusable.
  bool add_rows() {
    if (!divided_problem_.empty()) {
      leave_out(divided_problem_);
      return true;
    }
    try {
      counter_.add_rows(next_number(), units_.front().rows);
      frame_added();
      return true;
    } catch (const InputError& error) {
      report(error);
      return false;
    }
  }

  void frame_added() {
    if (!walk_ && units_.front().rows.number == 0) {
      current_.frames.push_back(facts_);
    }
    ++frames_in_unit_;
    ++current_.end;
  }

  void report(const InputError& error) {
    const WorkUnit& unit = units_.front();
    link_.send(BadFrame{walk_ ? walk_->unit_of_next(unit) : unit.number, error.what()});
    units_.clear();
    reported_ = true;
    no_more_ = true;
  }

  /// Ends the first unit, before its last frame if the run is stopped.
  void end_unit() {
    if (units_.empty()) {
      return;
    }
    UnitCounts counts = std::move(current_);
    units_.pop_front();
    if (!units_.empty()) {
      begin_unit(units_.front());
    }
    if (std::exchange(frames_in_unit_, 0) == 0) {
      link_.send(std::move(counts));
      ++work_.units;
      return;
    }
    counting_.emplace(sequence_++, std::move(counts));
    counter_.close_block();
  }

  void send(BlockCounts&& block) {
    const auto found = counting_.find(block.index.get());
    if (found == counting_.end()) {
      return;  // of a unit with an unusable frame
    }
    UnitCounts counts = std::move(found->second);
    counting_.erase(found);
    ++work_.units;
    work_.result.frames += block.frames;
    if (walk_) {
      counts.block = walk_->finish(counts.unit, std::move(block));
    } else {
      if (second_) {
        second_->complete(block);
      }
      counts.second = std::move(block.second);
      counts.counts = std::move(block.counts);
      counts.underflow = std::move(block.underflow);
      counts.out_of_range = std::move(block.out_of_range);
    }
    link_.send(std::move(counts));
  }

  const RankRun& run_;
  tasks::Runtime& runtime_;
  RankLink& link_;
  RankWork work_;
  std::optional<WorkUnit> read_ahead_;  // set until the first unit arrives
  std::deque<WorkUnit> units_;          // in hand; the first one is being submitted
  UnitCounts current_;                  // counts of the first unit
  std::uint64_t frames_in_unit_ = 0;    // submitted frames of the first unit
  std::uint64_t sequence_ = 0;          // the first unit's block in the counter
  std::map<std::uint64_t, UnitCounts> counting_;  // submitted units, by sequence
  std::uint64_t last_appended_ = UINT64_MAX;
  std::optional<LagWalk> walk_;  // set between frames
  std::optional<SecondAxisCounter> second_;
  FrameFacts facts_;  // of the last frame
  /// Number of the last frame, for units with other rows of it, and why it was left
  /// out; "": it was counted.
  std::uint64_t divided_number_ = UINT64_MAX;
  std::string divided_problem_;
  bool no_more_ = false;
  bool stopped_ = false;
  bool told_ = false;
  bool reported_ = false;  // true after an unusable frame
  tasks::PairCounter counter_;
};

}  // namespace

RankWork count_units(const RankRun& run, tasks::Runtime& runtime, RankLink& link) {
  check_memory(run.spec->layout, run.spec->options, runtime);
  return UnitCounting(run, runtime, link).count();
}

}  // namespace starhist::driver
