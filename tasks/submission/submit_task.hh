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

/// Restricts the task to these workers of StarPU, in the format of
/// starpu_task::workerids; they must live until the task has ended. Null: all workers.
void restrict_to(std::vector<std::uint32_t>* workers, starpu_task& task);

/// Submits a task from starpu_task_create(). If StarPU refuses it, destroys the task
/// and throws RunError "StarPU could not <action>: <reason>".
void submit_task(starpu_task* task, const std::string& action);

/// Smallest and largest priority of a scheduler.
struct PriorityRange {
  int least = 0;
  int most = 0;
};

/// Returns StarPU's priority of a task of `pairs` pairs in batch `batch`, counted from
/// 0. Tasks of earlier batches come first, and within a batch larger ones, compared by
/// powers of two. If the range is too small for batches, only the pairs decide.
int task_priority(std::uint64_t batch, std::uint64_t pairs, PriorityRange range);

}  // namespace starhist::tasks
