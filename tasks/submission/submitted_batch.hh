#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <starpu.h>

#include "codelets/labelled/count_labelled_pairs_codelet.hh"
#include "codelets/run_status.hh"
#include "perfmodels/count_pairs_model.hh"
#include "tasks/cutting/cpu_share.hh"
#include "tasks/positions/batch_positions.hh"

namespace starhist::tasks {

/// Callbacks for the submitter of batches, each called in a StarPU thread, once per
/// batch.
struct BatchEvents {
  std::function<void()> left_to_cpus;  ///< only tasks for CPU workers are left
  std::function<void()> ended;         ///< comes last: all tasks have ended
};

/// The positions of a batch with a label per particle.
struct LabelledPositions {
  PinnedPool::Piece memory;  ///< memory of the handle; freed after it
  /// x, y, z of the particles, frame by frame and label by label.
  DataHandle handle;
  std::vector<std::uint32_t> label_begin;  ///< storage to which the frames refer
  std::vector<codelets::LabelledFrame> frames;
};

/// A batch whose tasks are submitted: keeps its positions, records each task's time,
/// and counts down the tasks. References must live until the last task has ended.
class SubmittedBatch {
 public:
  /// `labelled`: empty if no pairs are counted with labels. `tasks`: number of tasks to
  /// be watched; `tasks_for_any`: how many of them are not restricted to CPU workers.
  /// `cpu_share` is notified of the restricted ones.
  SubmittedBatch(std::shared_ptr<const PreparedPositions> positions,
                 std::optional<LabelledPositions>&& labelled, std::size_t tasks,
                 std::size_t tasks_for_any, codelets::RunStatus& status,
                 CpuShare& cpu_share, const BatchEvents& events);
  SubmittedBatch(const SubmittedBatch&) = delete;
  SubmittedBatch& operator=(const SubmittedBatch&) = delete;

  /// By species, in the order of the file; empty for a species without particles.
  const std::vector<DataHandle>& positions() const {
    return positions_->positions.handles;
  }

  const std::optional<LabelledPositions>& labelled() const { return labelled_; }

  /// True when no task uses the positions any more, and this object may be destroyed.
  bool ended() const { return tasks_ == 0; }

  /// Makes a counting task that is about to be submitted report its end; `model` then
  /// learns from its time. `cpu_pairs`: its pairs if only CPU workers may run it [0
  /// for other tasks].
  void watch_counting(starpu_task& task, perfmodels::CountPairsModel& model,
                      std::uint64_t cpu_pairs);
  /// Watches a task that counts pairs within compounds.
  void watch_compounds(starpu_task& task);
  /// Watches a task that counts pairs with labels.
  void watch_labelled(starpu_task& task);

 private:
  /// Data needed when a counting task has ended.
  struct Ticket {
    SubmittedBatch* batch;
    perfmodels::CountPairsModel* model;
    std::uint64_t cpu_pairs;  ///< 0: GPUs may run it, too
  };
  static void counting_ended(void* ticket_of_task) noexcept;
  static void compounds_ended(void* submitted_batch) noexcept;
  static void labelled_ended(void* submitted_batch) noexcept;
  /// Stores the record, if there is one, and counts down.
  void note(const std::optional<codelets::TaskRecord>& record) noexcept;
  void task_ended() noexcept;

  const std::shared_ptr<const PreparedPositions> positions_;
  std::optional<LabelledPositions> labelled_;
  std::atomic<std::size_t> tasks_;
  std::atomic<std::size_t> tasks_for_any_;
  codelets::RunStatus& status_;
  CpuShare& cpu_share_;
  const BatchEvents& events_;
  std::vector<Ticket> tickets_;  ///< never grows beyond its reservation
};

}  // namespace starhist::tasks
