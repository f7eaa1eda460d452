#include "tasks/runtime/simulation.hh"

#include <algorithm>
#include <utility>

#include <starpu.h>

namespace starhist::tasks {
namespace {

SubmissionSeconds submission;
double end_of_copies = 0.0;
/// Empty: every GPU has the default properties.
std::vector<perfmodels::GpuProperties> properties_of_gpus;

void spend(double seconds) noexcept {
  if (seconds > 0.0) {
    sleep_for_seconds(seconds);
  }
}

double seconds_for_new_memory(std::size_t bytes) noexcept {
  return submission.new_block + submission.new_byte * static_cast<double>(bytes);
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

void simulate_gpus(std::vector<perfmodels::GpuProperties> gpus) noexcept {
  properties_of_gpus = std::move(gpus);
}

perfmodels::GpuProperties simulated_gpu(int number) noexcept {
  if (properties_of_gpus.empty()) {
    return {};
  }
  return properties_of_gpus.size() > 1
             ? properties_of_gpus[static_cast<std::size_t>(number)]
             : properties_of_gpus.front();
}

void simulate_submission(const SubmissionSeconds& seconds) noexcept {
  submission = seconds;
}

void spend_time_on_task() noexcept {
  spend(submission.task);
}

void spend_time_on_new_memory(std::size_t bytes) noexcept {
  spend(seconds_for_new_memory(bytes));
}

void simulate_copy(std::size_t bytes, std::size_t new_bytes,
                   bool with_samples) noexcept {
  if (simulated()) {
    end_of_copies = std::max(end_of_copies, seconds_now()) +
                    submission.copied_byte * static_cast<double>(bytes) +
                    (new_bytes > 0 ? seconds_for_new_memory(new_bytes) : 0.0) +
                    (with_samples ? submission.sample : 0.0);
  }
}

double end_of_simulated_copies() noexcept {
  return end_of_copies;
}

}  // namespace starhist::tasks
