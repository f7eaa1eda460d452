#pragma once

#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Sets the variables of tasks::recommended_environment() that the user has not set.
/// Call it while the program has one thread.
void set_starpu_defaults(tasks::CpuMode mode);

}  // namespace starhist::driver
