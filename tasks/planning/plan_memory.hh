#pragma once

#include <cstdint>

#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// What a plan takes of main memory and of the memory of GPUs.
class PlanMemory {
 public:
  /// `memory_bytes`: of main memory, for all of the run.
  PlanMemory(const MachineSpeeds& machine, const Workload& work,
             const CountingSpeeds& speeds, std::uint64_t memory_bytes);

  /// Frames of a batch, at most [>= 1]: it takes a sixteenth of main memory and an
  /// eighth of a GPU's, and has no more coordinates than StarPU counts.
  std::uint64_t most_frames_per_batch() const;

  /// Lowers the numbers of batches in flight and of open blocks until the plan fits,
  /// and sets its bytes. Throws InputError where one batch in flight is too much.
  void fit(BatchPlan& plan);

 private:
  void fit_into_main_memory(double batch_bytes, BatchPlan& plan) const;
  void fit_into_gpu(double batch_bytes, BatchPlan& plan) const;

  bool gpus_;
  double least_gpu_batches_;  ///< that a GPU holds
  std::uint64_t particles_;
  std::uint64_t gpu_memory_;
  std::uint64_t memory_;
  // In doubles, so that absurd sizes cannot wrap around.
  double gpu_block_bytes_;  ///< on a GPU: counts of an open block
  double block_bytes_;      ///< counts of an open block
  double run_bytes_;        ///< of all species pairs, besides their counts
  double private_bytes_;    ///< of kernels on CPU workers
  double frame_bytes_;      ///< of a frame in a batch
  /// Of a frame in all tasks that count particles with labels at the same time.
  double prepared_frame_bytes_ = 0.0;
};

}  // namespace starhist::tasks
