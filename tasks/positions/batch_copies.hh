#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <vector>

#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/core/counting/row_part.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "tasks/memory/pinned_pool.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/positions/batch_positions.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::tasks {

/// Batches of frames whose positions are in the memory of a GPU. Only the workers of
/// this GPU count them, so that nothing is copied to another memory. Must outlive the
/// tasks of the batches.
class GpuBatches {
 public:
  /// Registers the positions of frames on one GPU: of a single frame in place, of
  /// several as a copy on the GPU. `with_contrasts`: requests density contrasts.
  /// There must be a frame. Throws InputError for more coordinates than StarPU can
  /// handle, std::bad_alloc if the GPU has too little memory, and RunError when CUDA
  /// reports an error.
  BatchPositions take(const std::vector<Frame>& frames, bool with_contrasts);

 private:
  codelets::GpuCopier& copier_of(const std::vector<Frame>& frames);

  std::map<int, std::unique_ptr<codelets::GpuCopier>> copiers_;  ///< by CUDA's number
};

/// A batch whose positions are being copied by another thread.
struct BegunBatch {
  std::vector<Frame> frames;
  RowPart rows;
  bool same_frame = false;  ///< the frame of the previous batch, already copied
  BatchPlan plan;
  /// Not set if the positions need no copy in main memory.
  std::future<BatchPositions> positions;
  double copied_at = 0.0;  ///< end of a simulated copy [s]

  /// Waits until the positions are copied.
  void wait_for_copy() const;
  /// True if that thread has copied the positions.
  bool is_copied() const;
};

/// Copies the positions of batches and registers them with StarPU. For one thread.
class BatchCopies {
 public:
  /// This object and the references must live until all tasks have ended. `labels` must
  /// not change after the first batch.
  BatchCopies(const Runtime& runtime, const HistogramLayout& layout,
              const PairExclusions& exclusions, const LabelledPairs& labels,
              PinnedPool& memory);

  /// Begins to copy the positions of a batch, while the caller may submit the previous
  /// one, whose copy must have ended. The frames must have boxes of one kind; only the
  /// given rows are counted. All frames are in main memory, or all on one GPU.
  /// `same_frame`: the single frame is the frame of the previous batch, and its
  /// positions are reused.
  std::unique_ptr<BegunBatch> begin(std::vector<Frame>&& frames, RowPart rows,
                                    bool same_frame, const BatchPlan& plan);

  /// Waits for the copy and returns the positions. If the rows of a frame are divided,
  /// its other parts get the same positions. Each batch once, in the order in which
  /// they were begun. Throws InputError for more particles than StarPU can handle, and
  /// std::bad_alloc.
  std::shared_ptr<PreparedPositions> take(BegunBatch& batch);

 private:
  const Runtime& runtime_;
  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  const LabelledPairs& labels_;
  PinnedPool& memory_;
  ThreadPool copying_threads_;
  GpuBatches gpu_batches_;
  std::vector<bool> wanted_species_;  ///< empty: all species, or no batch yet
  /// Positions of the last frame, if its rows are divided.
  std::shared_ptr<PreparedPositions> divided_;
};

}  // namespace starhist::tasks
