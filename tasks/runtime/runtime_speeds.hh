#pragma once

#include "perfmodels/work_class.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// The workers of the runtime and their memory, with speeds that say nothing.
MachineSpeeds runtime_workers(const Runtime& runtime);

/// The same with the speeds that the performance models of such pairs know by now, in
/// tasks of usual size. They change while tasks end.
MachineSpeeds runtime_speeds(Runtime& runtime, perfmodels::PairKind kind,
                             perfmodels::Geometry geometry);

}  // namespace starhist::tasks
