#include "tasks/runtime/simulation.hh"

#include <starpu.h>

namespace starhist::tasks {

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

}  // namespace starhist::tasks
