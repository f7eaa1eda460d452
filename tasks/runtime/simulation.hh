#pragma once

#include <cstddef>

namespace starhist::tasks {

/// Whether StarPU simulates the workers, on SimGrid. Tasks then take the time that
/// their models predict and are not executed, so that there are no counts.
bool simulated() noexcept;

/// StarPU's clock [s], of the simulated machine where workers are simulated. Its origin
/// is any. StarPU runs.
double seconds_now() noexcept;

/// Lets the calling thread sleep on that clock. StarPU runs. [s, >= 0]
void sleep_for_seconds(double seconds) noexcept;

/// Time that the thread that submits tasks needs for them on a simulated machine
/// [s, >= 0]. All 0: its work takes no time.
struct SubmissionSeconds {
  double task = 0.0;       ///< to submit a task
  double sample = 0.0;     ///< to look at a sample of the positions of a sorting task
  double new_block = 0.0;  ///< to pin a block of new memory, whatever its size
  double new_byte = 0.0;   ///< to make the pages of a byte of it and pin them
};

/// Sets the times that the three functions below spend. Call it before any of them.
void simulate_submission(const SubmissionSeconds& seconds) noexcept;
/// Spends the time for a task. Takes no time where workers are not simulated.
void spend_time_on_task() noexcept;
/// Spends the time for a sample of positions. Takes no time where workers are not
/// simulated.
void spend_time_on_sample() noexcept;
/// Spends the time for a new block of memory. Takes no time where workers are not
/// simulated.
void spend_time_on_new_memory(std::size_t bytes) noexcept;

}  // namespace starhist::tasks
