#pragma once

#include <optional>
#include <span>
#include <vector>

#include <starpu.h>

#include "codelets/core/counting/bins.hh"
#include "codelets/frame_slice.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/run_status.hh"
#include "codelets/task_args.hh"
#include "perfmodels/count_pairs_model.hh"

namespace starhist::codelets {

/// Arguments of a counting task; `slice_count` of FrameSlice follow it in memory
/// (set_task_args).
struct CountPairsArgs {
  using Slice = FrameSlice;

  perfmodels::WorkSize size;  // first: the performance model reads it
  UniformBins bins;
  perfmodels::PairKind kind = perfmodels::PairKind::like;
  std::int32_t threads = 1;
  std::uint32_t slice_count = 0;
  std::uint32_t clustered = 0;  ///< 1: positions are in spatial order
  RunStatus* status = nullptr;
  const GpuScratch* scratch = nullptr;  ///< none: GPUs do not use the order
  /// Pairs that a GPU refused and another task counts, which ends before this one.
  mutable std::uint64_t repeated_pairs = 0;

  std::span<const FrameSlice> slices() const {
    return {reinterpret_cast<const FrameSlice*>(this + 1), slice_count};
  }
};

/// The parts of a task as blocks of pairs, in the memory that the buffers are in.
std::vector<kernels::PairBlock> blocks_of(void* buffers[], const CountPairsArgs& args);
std::uint64_t* counts_of(void* buffers[], const CountPairsArgs& args);

/// What StarPU has measured of a counting task that has ended. Pairs that another task
/// repeated are that one's. Nothing without StarPU's profiling.
std::optional<TaskRecord> record_of(const starpu_task& task);

/// Counts the pairs of one species pair in one or more frames.
///
/// Buffers: positions of the first species (STARPU_R), of the second (STARPU_R; only
/// for unlike pairs), counts (STARPU_REDUX, bins.count + 1 integers of 64 bits, see
/// CountPairs). Must live until starpu_shutdown.
///
/// CPU: the selected variant. CUDA, where built in: the key's variant ("auto": every
/// one that suits the geometry, the performance model chooses).
class CountPairsCodelet {
 public:
  explicit CountPairsCodelet(const perfmodels::ModelKey& key);
  CountPairsCodelet(const CountPairsCodelet&) = delete;
  CountPairsCodelet& operator=(const CountPairsCodelet&) = delete;

  starpu_codelet* get() { return &codelet_; }
  perfmodels::CountPairsModel& model() { return model_; }

 private:
  perfmodels::CountPairsModel model_;
  starpu_codelet codelet_;
};

}  // namespace starhist::codelets
