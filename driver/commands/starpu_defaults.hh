#pragma once

#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Sets the environment variables of tasks::recommended_environment() that are not set.
/// Where HOME cannot be written, or is too long for StarPU, STARPU_HOME becomes a
/// temporary folder, and a sentence on standard error says so. Throws RunError when
/// there is none either. To be called while the program has one thread.
void set_starpu_defaults(tasks::CpuMode mode);

}  // namespace starhist::driver
