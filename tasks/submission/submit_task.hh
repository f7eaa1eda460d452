#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <starpu.h>

#include "codelets/core/counting/species_pair.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {

/// Sets the buffers of a task that counts pairs: positions of the first species, of the
/// second unless the pair is like, and counts. `positions` are by species.
void set_buffers(starpu_task& task, const SpeciesPair& pair,
                 const std::vector<DataHandle>& positions, starpu_data_handle_t counts);

/// Lets only these workers of StarPU have the task, as starpu_task::workerids has them;
/// they must live until the task has ended. Null: all workers.
void restrict_to(std::vector<std::uint32_t>* workers, starpu_task& task);

/// Submits a task that starpu_task_create() made. Throws RunError "StarPU could not
/// <action>: <reason>" and destroys the task where StarPU refuses it.
void submit_task(starpu_task* task, const std::string& action);

}  // namespace starhist::tasks
