// starhist-simulate RUN RESULT: simulates the run that `starhist simulate` has written
// to the file RUN, and writes the outcome to the file RESULT. StarPU's variables define
// the simulated machine. Exit codes are those of starhist.
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/report/task_trace.hh"
#include "driver/run/counting_run.hh"
#include "driver/simulation/simulated_frames.hh"
#include "driver/simulation/simulated_rank.hh"
#include "driver/simulation/simulated_run.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/run_planner.hh"
#include "tasks/runtime/runtime_speeds.hh"
#include "tasks/runtime/simulated_main.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::driver {
namespace {

/// Number of frames that readers are ahead of the run, about as for a FrameStream with
/// GPUs.
constexpr std::uint64_t frames_ahead = 256;

RunResult count(const SimulatedRun& run, tasks::Runtime& runtime) {
  if (run.ranks > 1) {
    return count_as_one_rank(run, runtime, frames_ahead);
  }
  SimulatedFrames frames(run.frame, run.options.frames,
                         {run.seconds_to_read_a_frame, run.seconds_to_accept_a_frame,
                          run.seconds_to_start},
                         frames_ahead);
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
