#pragma once

#include <optional>

#include <starpu.h>

#include "codelets/run_status.hh"

namespace starhist::codelets {

/// Name, worker and times of a task that has ended, as measured by StarPU. Empty
/// without StarPU's profiling.
std::optional<TaskRecord> measured_task(const starpu_task& task);

/// The time on StarPU's clock, like TaskRecord::start [s].
double clock_seconds();

}  // namespace starhist::codelets
