#include "tasks/runtime/simulation.hh"

#include <starpu.h>

namespace starhist::tasks {
namespace {

SubmissionSeconds submission;
perfmodels::GpuProperties properties_of_gpus;

void spend(double seconds) noexcept {
  if (seconds > 0.0) {
    sleep_for_seconds(seconds);
  }
}

}  // namespace

bool simulated() noexcept {
#ifdef STARPU_SIMGRID
  return true;
#else
  return false;
#endif
}

double seconds_now() noexcept {
  return 1e-6 * starpu_timing_now();
}

void sleep_for_seconds(double seconds) noexcept {
  starpu_sleep(static_cast<float>(seconds));
}

void simulate_gpu(const perfmodels::GpuProperties& gpu) noexcept {
  properties_of_gpus = gpu;
}

perfmodels::GpuProperties simulated_gpu() noexcept {
  return properties_of_gpus;
}

void simulate_submission(const SubmissionSeconds& seconds) noexcept {
  submission = seconds;
}

void spend_time_on_task() noexcept {
  spend(submission.task);
}

void spend_time_on_sample() noexcept {
  spend(submission.sample);
}

void spend_time_on_new_memory(std::size_t bytes) noexcept {
  spend(submission.new_block + submission.new_byte * static_cast<double>(bytes));
}

}  // namespace starhist::tasks
