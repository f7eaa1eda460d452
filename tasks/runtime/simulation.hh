#pragma once

#include <cstddef>
#include <vector>

#include "perfmodels/gpu_speeds.hh"

namespace starhist::tasks {

/// True if StarPU simulates the workers, on SimGrid. Tasks then take the time that
/// their models predict and are not executed, so there are no counts.
bool simulated() noexcept;

/// StarPU's clock [s], or the simulated machine's clock in a simulation, with an
/// arbitrary origin. StarPU must run.
double seconds_now() noexcept;

/// Makes the calling thread sleep [s, >= 0] on the clock of seconds_now(). StarPU must
/// run.
void sleep_for_seconds(double seconds) noexcept;

/// Sets the properties of the simulated GPUs: of each, or of all if there is one entry.
/// Call it before the Runtime starts.
void simulate_gpus(std::vector<perfmodels::GpuProperties> gpus) noexcept;
/// The properties of the simulated GPU with this number (>= 0).
perfmodels::GpuProperties simulated_gpu(int number) noexcept;

/// Time of the host's operations on a simulated machine [s, >= 0]. 0: the operation
/// takes no time.
struct SubmissionSeconds {
  double task = 0.0;         ///< submitting a task
  double sample = 0.0;       ///< reading samples of a batch's positions
  double new_block = 0.0;    ///< pinning a new block of memory, whatever its size
  double new_byte = 0.0;     ///< creating and pinning the pages of one new byte
  double copied_byte = 0.0;  ///< copying one byte of positions
};

/// Sets the times that the functions below spend. Call it before them.
void simulate_submission(const SubmissionSeconds& seconds) noexcept;
/// Spends the time for a task. Does nothing without simulation.
void spend_time_on_task() noexcept;
/// Spends the time for a new block of memory. Does nothing without simulation.
void spend_time_on_new_memory(std::size_t bytes) noexcept;
/// Simulates a copy of `bytes` bytes of positions by the copying thread, which copies
/// one batch at a time while the submitting thread works. `new_bytes`: size of a new
/// block of memory, 0 for a known one. Has no effect without simulation.
void simulate_copy(std::size_t bytes, std::size_t new_bytes,
                   bool with_samples) noexcept;
/// End of all simulated copies on the clock of seconds_now(); 0 without simulation.
double end_of_simulated_copies() noexcept;

}  // namespace starhist::tasks
