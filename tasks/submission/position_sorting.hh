#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/base/ids.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/run_status.hh"
#include "tasks/runtime/data_handle.hh"
#include "tasks/submission/batch_positions.hh"

namespace starhist::tasks {

/// Submits the task that brings the positions of one species into spatial order, each
/// frame by itself, and returns the handle of the sorted positions: x, y, z of the
/// particles of all frames, one frame after the other. No handle and no task where
/// there is no particle. GPUs sort if there is a `scratch`, else CPU workers do;
/// `workers` are those of restrict_to(). All that is behind `species` must live until
/// the task has ended. Throws RunError where StarPU refuses the task.
DataHandle submit_sorting(const std::vector<Frame>& frames, const BatchPositions& batch,
                          SpeciesId species, const codelets::GpuScratch* scratch,
                          std::vector<std::uint32_t>* workers,
                          codelets::RunStatus& status);

}  // namespace starhist::tasks
