#pragma once

namespace starhist::tasks {

/// Whether StarPU simulates the workers, on SimGrid. Tasks then take the time that
/// their models predict and are not executed, so that there are no counts.
bool simulated() noexcept;

/// StarPU's clock [s], of the simulated machine where workers are simulated. Its origin
/// is any. StarPU runs.
double seconds_now() noexcept;

/// Lets the calling thread sleep on that clock. StarPU runs. [s, >= 0]
void sleep_for_seconds(double seconds) noexcept;

}  // namespace starhist::tasks
