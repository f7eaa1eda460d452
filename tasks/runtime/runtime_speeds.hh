#pragma once

#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// The workers of the runtime and their memory, with speeds that say nothing.
MachineSpeeds runtime_workers(const Runtime& runtime);

/// The same with the speeds that the performance models know by now, in tasks like
/// those of `work`. They change while tasks end.
MachineSpeeds runtime_speeds(Runtime& runtime, const Workload& work);

}  // namespace starhist::tasks
