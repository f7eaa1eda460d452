// starhist-simulate RUN RESULT: simulates the run that `starhist simulate` has written
// to the file RUN, and writes the outcome to the file RESULT. StarPU's variables define
// the simulated machine. Exit codes are those of starhist.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/ranks/rank_plan.hh"
#include "driver/report/task_trace.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/frames/frame_source.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/run_summary.hh"
#include "driver/simulation/simulated_run.hh"
#include "tasks/pair_counter.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/run_planner.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/runtime_speeds.hh"
#include "tasks/runtime/simulated_main.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::driver {
namespace {

/// Time of each frame on the simulated machine [s, >= 0].
struct FrameSeconds {
  double read = 0.0;    ///< reading, by all readers ahead of next()
  double accept = 0.0;  ///< accepting, in next(), by the submitting thread
  double start = 0.0;   ///< start-up of that thread, only before the first frame
};

/// Number of frames that readers are ahead of the run, about as for a FrameStream with
/// GPUs.
constexpr std::uint64_t frames_ahead = 256;

/// A source of equal frames. As in a FrameStream, readers are ahead of next(), by at
/// most frames_ahead frames. StarPU must run.
class SimulatedFrames : public FrameSource {
 public:
  SimulatedFrames(const SimulatedRun& run, std::uint64_t count)
      : frame_(run.frame),
        count_(count),
        seconds_{run.seconds_to_read_a_frame, run.seconds_to_accept_a_frame,
                 run.seconds_to_start},
        read_(tasks::seconds_now()) {}

  std::optional<Frame> next() override {
    if (passed_ == count_) {
      return std::nullopt;
    }
    if (seconds_.read > 0.0) {
      wait_for_reader();
    }
    const double busy = seconds_.accept + (passed_ == 0 ? seconds_.start : 0.0);
    if (busy > 0.0) {
      tasks::sleep_for_seconds(busy);
    }
    Frame frame;
    if (!used_.empty()) {
      frame = std::move(used_.back());
      used_.pop_back();
    } else {
      frame = frame_;
    }
    frame.index = FrameIndex(passed_);
    ++passed_;
    return frame;
  }
  void recycle(Frame&& frame) override { used_.push_back(std::move(frame)); }
  std::uint64_t passed() const override { return passed_; }

 private:
  /// A reader starts a frame after it has read the previous one, and when there is
  /// room.
  void wait_for_reader() {
    double begin = read_;
    if (taken_.size() == frames_ahead) {
      begin = std::max(begin, taken_.front());
      taken_.pop_front();
    }
    read_ = begin + seconds_.read;
    const double wait = read_ - tasks::seconds_now();
    if (wait > 0.0) {
      tasks::sleep_for_seconds(wait);
    }
    taken_.push_back(tasks::seconds_now());
  }

  const Frame frame_;
  const std::uint64_t count_;
  const FrameSeconds seconds_;
  std::uint64_t passed_ = 0;
  double read_ = 0.0;         ///< time at which the next frame was read [s]
  std::deque<double> taken_;  ///< times at which the last frames_ahead were taken [s]
  std::vector<Frame> used_;
};

/// Assigns each unit to a rank with the fewest frames, as equal ranks would request
/// them. Returns the units of the rank with most.
std::vector<WorkUnit> units_of_one_rank(const RankedFrames& frames,
                                        const RankWeights& weights) {
  struct Rank {
    std::uint64_t frames = 0;  // or parts of frames, if rows are divided
    std::vector<WorkUnit> units;
  };
  const auto fewer = [](const Rank& a, const Rank& b) { return a.frames < b.frames; };
  std::vector<Rank> ranks(weights.size());
  UnitCutter cutter(frames, weights);
  while (const std::optional<WorkUnit> unit = cutter.next()) {
    Rank& next = *std::min_element(ranks.begin(), ranks.end(), fewer);
    next.frames += unit->frames();
    next.units.push_back(*unit);
  }
  return std::move(std::max_element(ranks.begin(), ranks.end(), fewer)->units);
}

/// True if unit k has other rows of the previous unit's frame, which is then in memory.
bool same_frame(const std::vector<WorkUnit>& units, std::size_t k) {
  return k > 0 && units[k - 1].begin == units[k].begin;
}

std::uint64_t frames_to_read(const std::vector<WorkUnit>& units) {
  std::uint64_t frames = 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    frames += same_frame(units, k) ? 0 : units[k].frames();
  }
  return frames;
}

/// Counts the share of one of SimulatedRun::ranks equal ranks, the one with most work.
/// Work units, messages and results of ranks take no time. Sets the fields that
/// count_frames() sets, for this rank only.
RunResult count_as_one_rank(const SimulatedRun& run, tasks::Runtime& runtime) {
  const RankWeights weights(run.ranks, weight_of_rank(runtime.gpus()));
  const RankedFrames all_frames =
      ranked_frames(runtime, run.layout, {}, run.options, weights, run.frame);
  const std::vector<WorkUnit> units = units_of_one_rank(all_frames, weights);
  SimulatedFrames frames(run, frames_to_read(units));
  const double start = tasks::seconds_now();
  tasks::CountingOptions options = options_of_rank(run.options, run.ranks);
  // Like UnitCounting: each unit is a block, and no unit fills it.
  const std::uint64_t block = most_frames_per_unit(all_frames, weights) + 1;
  options.frames_per_block = static_cast<std::uint32_t>(block);
  options.expected_in_block = static_cast<std::uint32_t>(block - 1);
  check_memory(run.layout, options, runtime);
  runtime.bytes_moved();  // resets the counter
  tasks::PairCounter counter(runtime, run.layout, options, [](BlockCounts&&) {});
  for (std::size_t k = 0; k < units.size(); ++k) {
    const WorkUnit& unit = units[k];
    for (std::uint64_t f = 0; f < unit.frames(); ++f) {
      if (same_frame(units, k)) {
        counter.add_rows(k * block, unit.rows);
      } else {
        counter.add(frames.next().value(), k * block + f, unit.rows);
      }
      for (Frame& used : counter.take_used_frames()) {
        frames.recycle(std::move(used));
      }
    }
    counter.close_block();
  }
  counter.finish();
  RunResult result;
  result.count_seconds = tasks::seconds_now() - start;
  add_work(runtime, counter.status(), result);
  return result;
}

RunResult count(const SimulatedRun& run, tasks::Runtime& runtime) {
  if (run.ranks > 1) {
    return count_as_one_rank(run, runtime);
  }
  SimulatedFrames frames(run, run.options.frames);
  return count_frames(frames, runtime, {run.layout, {}, run.options},
                      [](BlockCounts&&) {});
}

SimulatedResult simulate(const SimulatedRun& run) {
  tasks::StarpuSettings settings;
  settings.cpu_workers = run.cpu_workers;
  tasks::simulate_gpus(run.gpus);
  tasks::Runtime runtime(tasks::CpuMode::core,
                         {run.layout.bins.count_from_zero(), "auto", run.cpu_variant},
                         settings);
  tasks::simulate_submission(run.submission);
  const RunResult done = count(run, runtime);
  if (!run.trace.empty()) {
    write_task_trace(run.trace, done.tasks, done.workers);
  }
  const tasks::RunPlan plan =
      tasks::plan_run(runtime, run.layout, {}, run.options, run.frame);
  SimulatedResult result;
  result.seconds = done.count_seconds;
  result.pairs = PairExclusions().work(run.layout, run.frame) * run.options.frames;
  result.bytes_moved = done.bytes_moved;
  result.scheduler = runtime.scheduler();
  result.clustered = plan.batches.clustered;
  result.frames_per_batch = plan.batches.frames_per_batch;
  result.most_pairs_per_task = plan.batches.most_pairs_per_task;
  result.most_pairs_per_gpu_task = plan.batches.most_pairs_per_gpu_task;
  result.cpu_share = plan.batches.cpu_share;
  result.measured = tasks::has_measured_models(
      runtime, plan.work, tasks::counting_speeds(plan.machine, plan.work).order);
  result.estimated_pairs = plan.work.labelled_pairs_per_frame * run.options.frames;
  result.workers = done.workers;
  return result;
}

int report(const std::exception& error, int code) {
  std::cerr << error.what() << std::endl;
  return code;
}

}  // namespace

}  // namespace starhist::driver

int main(int count, char** words) {
  using namespace starhist;
  try {
    if (count != 3) {
      throw InputError("starhist-simulate is started by starhist simulate");
    }
    std::ifstream in(words[1], std::ios::binary);
    const driver::SimulatedResult result = driver::simulate(driver::read_run(in));
    std::ofstream out(words[2]);
    driver::write_result(out, result);
    out.close();
    if (!out) {
      throw RunError(std::string("cannot write to '") + words[2] + "'");
    }
    return 0;
  } catch (const InputError& error) {
    return driver::report(error, 1);
  } catch (const std::exception& error) {
    return driver::report(error, 2);
  }
}
