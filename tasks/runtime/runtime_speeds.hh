#pragma once

#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// The runtime's workers and their memory, with default speeds.
MachineSpeeds runtime_workers(const Runtime& runtime);

/// The runtime's workers with the speeds that performance models have measured so far,
/// in tasks like those of `work`. They change while tasks end.
MachineSpeeds runtime_speeds(Runtime& runtime, const Workload& work);

}  // namespace starhist::tasks
