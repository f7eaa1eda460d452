#pragma once

#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Sets the environment variables of tasks::recommended_environment() that are not set.
/// To be called while the program has one thread.
void set_starpu_defaults(tasks::CpuMode mode);

}  // namespace starhist::driver
