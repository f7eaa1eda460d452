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

/// What the thread that submits tasks needs on a simulated machine [s, >= 0]. All 0:
/// its work takes no time.
struct SubmissionSeconds {
  double task = 0.0;     ///< for each counting task
  double sorting = 0.0;  ///< for each sorting task, with a look at its positions
  /// For each block of memory that is new to the GPUs, which take positions from it,
  /// and for each byte of it: its pages are made and pinned.
  double new_block = 0.0;
  double new_byte = 0.0;
};

/// From now on the three functions below take this time. Before any other thread calls
/// them.
void simulate_submission(const SubmissionSeconds& seconds) noexcept;
/// Called for each counting task. Takes no time where workers are not simulated.
void spend_time_on_task() noexcept;
/// Called for each sorting task. The same.
void spend_time_on_sorting() noexcept;
/// Called for each new block of memory that is to be pinned. The same.
void spend_time_on_new_memory(std::size_t bytes) noexcept;

}  // namespace starhist::tasks
