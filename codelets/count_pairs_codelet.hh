#pragma once

#include <array>
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

/// Arguments of a counting task; `slice_count` FrameSlices follow it in memory
/// (set_task_args()).
struct CountPairsArgs {
  using Slice = FrameSlice;

  perfmodels::WorkSize size;  ///< the first member, as the performance model reads it
  UniformBins bins;           ///< UniformBins::from_zero()
  perfmodels::PairKind kind = perfmodels::PairKind::like;
  std::int32_t threads = 1;       ///< of a parallel CPU worker [>= 1]
  std::uint32_t slice_count = 0;  ///< number of slices
  std::uint32_t clustered = 0;  ///< 1: positions are in spatial order; 0: in any order
  std::uint64_t same_frames = 0;  ///< kernels::cpu::count_pairs()
  RunStatus* status = nullptr;    ///< must outlive the task
  /// Null: GPUs count particles in spatial order like those in any order.
  const GpuScratch* scratch = nullptr;
  /// Number of pairs that a GPU refused. Another task counts them and ends before this
  /// one.
  mutable std::uint64_t repeated_pairs = 0;

  std::span<const FrameSlice> slices() const {
    return {reinterpret_cast<const FrameSlice*>(this + 1), slice_count};
  }
};

/// The slices of a task as blocks of pairs, and its counts, in the memory of the worker
/// that has the buffers.
std::vector<kernels::PairBlock> blocks_of(void* buffers[], const CountPairsArgs& args);
std::uint64_t* counts_of(void* buffers[], const CountPairsArgs& args);

/// The record of a counting task that has ended, without the pairs that another task
/// repeated. Empty without StarPU's profiling.
std::optional<TaskRecord> record_of(const starpu_task& task);

/// Counts the pairs of one species pair in one or more frames.
///
/// Buffers: positions of the first species (STARPU_R), of the second (STARPU_R; only
/// for unlike pairs), counts (STARPU_REDUX, bins.count + 1 integers of 64 bits, see
/// CountPairs). Errors go to RunStatus::fail(). Must live until starpu_shutdown().
///
/// CPU: the selected variant. CUDA, if built in: the key's variant. With "auto" the
/// performance model chooses among the variants that suit the geometry.
class CountPairsCodelet {
 public:
  /// Throws InputError for an unknown ModelKey::cuda_variant.
  explicit CountPairsCodelet(const perfmodels::ModelKey& key);
  CountPairsCodelet(const CountPairsCodelet&) = delete;
  CountPairsCodelet& operator=(const CountPairsCodelet&) = delete;

  starpu_codelet* get() { return &codelet_; }
  /// The codelet with the model CountPairsModel::of_frames(k), k > 0.
  starpu_codelet* of_frames(std::size_t k) { return &of_frames_[k]; }
  perfmodels::CountPairsModel& model() { return model_; }

 private:
  perfmodels::CountPairsModel model_;
  starpu_codelet codelet_;
  std::array<starpu_codelet, perfmodels::measured_frames.size()> of_frames_;
};

}  // namespace starhist::codelets
