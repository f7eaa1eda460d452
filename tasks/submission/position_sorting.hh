#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/base/ids.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "tasks/positions/batch_positions.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {

/// Submits the task that sorts the positions of one species into spatial order, each
/// frame separately, and returns the handle of the sorted positions: x, y, z of the
/// particles of all frames, one frame after the other. Returns an empty handle and
/// submits no task if there are no particles. GPUs sort if there is a `scratch`,
/// otherwise CPU workers do; `workers` are those of restrict_to(). All arguments after
/// `species` must live until the task has ended. Throws RunError if StarPU refuses the
/// task.
DataHandle submit_sorting(const std::vector<Frame>& frames, const BatchPositions& batch,
                          SpeciesId species, const codelets::GpuScratch* scratch,
                          std::vector<std::uint32_t>* workers,
                          codelets::RunStatus& status);

}  // namespace starhist::tasks
