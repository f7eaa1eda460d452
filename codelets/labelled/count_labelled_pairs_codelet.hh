#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <starpu.h>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "codelets/run_status.hh"
#include "codelets/task_args.hh"

namespace starhist::codelets {

/// A frame of a task: location of its particles in the handle of positions.
struct LabelledFrame {
  MinimumImage image;
  std::uint64_t offset = 0;  ///< number of preceding particles
  std::uint64_t count = 0;   ///< number of particles of all labels
  /// kernels::cpu::LabelledBlock::label_begin; must outlive the task.
  const std::uint32_t* label_begin = nullptr;
};

/// Arguments of a task; `slice_count` LabelledFrames follow it in memory
/// (set_task_args()).
struct CountLabelledPairsArgs {
  using Slice = LabelledFrame;

  const LabelledPairs::Group* group = nullptr;  ///< must outlive the task
  std::uint64_t pairs = 0;                      ///< number of pairs in all frames
  UniformBins bins;                             ///< UniformBins::from_zero()
  std::int32_t threads = 1;                     ///< of a parallel worker [>= 1]
  std::uint32_t slice_count = 0;                ///< number of frames
  RunStatus* status = nullptr;                  ///< must outlive the task

  std::span<const LabelledFrame> slices() const {
    return {reinterpret_cast<const LabelledFrame*>(this + 1), slice_count};
  }
};

/// The record of such a task that has ended. Empty without StarPU's profiling.
std::optional<TaskRecord> labelled_record_of(const starpu_task& task);

/// Counts the pairs of one LabelledPairs::Group in one or more frames.
///
/// Buffers: positions of all labels, frame by frame and label by label (STARPU_R); the
/// histograms of the group, bins.count + 1 integers of 64 bits each (STARPU_RW: groups
/// never share a histogram, so concurrent tasks need no replicas). Errors go to
/// RunStatus::fail(). CPU only. Lives for the whole program.
starpu_codelet* count_labelled_pairs_codelet();

}  // namespace starhist::codelets
