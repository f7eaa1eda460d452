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

/// True if the models of all the runtime's kinds of workers are based on measurements
/// of work like this in this order of particles.
bool has_measured_models(Runtime& runtime, const Workload& work,
                         perfmodels::Order order);

}  // namespace starhist::tasks
