#pragma once

#include <cstdint>

#include "tasks/planning/batch_plan.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/planning/machine_speeds.hh"
#include "tasks/planning/workload.hh"

namespace starhist::tasks {

/// Main memory and GPU memory that a plan needs.
class PlanMemory {
 public:
  /// `memory_bytes`: limit of main memory for the whole run.
  PlanMemory(const MachineSpeeds& machine, const Workload& work,
             const CountingSpeeds& speeds, std::uint64_t memory_bytes);

  /// Maximum number of frames per batch [>= 1]: a batch takes a sixteenth of main
  /// memory and an eighth of a GPU's, and has no more coordinates than StarPU can
  /// count.
  std::uint64_t most_frames_per_batch() const;

  /// Lowers the numbers of batches in flight and of open blocks until the plan fits,
  /// and sets its bytes. Throws InputError if even one batch in flight is too much.
  void fit(BatchPlan& plan);

 private:
  /// Main memory of frames besides the batches in flight.
  double waiting_bytes(const BatchPlan& plan) const;
  void fit_into_main_memory(double batch_bytes, BatchPlan& plan) const;
  void fit_into_gpu(double batch_bytes, BatchPlan& plan) const;

  bool gpus_;
  double least_gpu_batches_;  ///< fewest batches that a GPU holds
  std::uint64_t particles_;
  std::uint64_t gpu_memory_;
  std::uint64_t memory_;
  // Doubles, so that absurd sizes cannot overflow.
  double gpu_block_bytes_;  ///< on a GPU: counts of an open block
  double block_bytes_;      ///< counts of an open block
  double run_bytes_;        ///< of all species pairs, without their counts
  double private_bytes_;    ///< memory of kernels on CPU workers
  double position_bytes_;   ///< of a frame's positions as read
  double frame_bytes_;      ///< per frame of a batch
  /// Bytes per frame in all concurrent tasks that count particles with labels.
  double prepared_frame_bytes_ = 0.0;
};

}  // namespace starhist::tasks
