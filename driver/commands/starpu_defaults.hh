#pragma once

#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Sets the environment variables of tasks::recommended_environment() that are not set.
/// If HOME is not writable, or its path is too long for StarPU, sets STARPU_HOME to a
/// temporary folder and prints a warning. Throws RunError if that fails, too. Call it
/// while the program has a single thread.
void set_starpu_defaults(tasks::CpuMode mode);

}  // namespace starhist::driver
