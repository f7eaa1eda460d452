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
#include "tasks/planning/cpu_share.hh"
#include "tasks/submission/batch_positions.hh"

namespace starhist::tasks {

/// What the submitter of batches is told, in a StarPU thread, once per batch.
struct BatchEvents {
  std::function<void()> left_to_cpus;  ///< only tasks for CPU workers are left
  std::function<void()> ended;         ///< comes last: no task is left
};

/// The positions of a batch with a label per particle.
struct LabelledPositions {
  PinnedPool::Piece memory;  ///< what the handle refers to; freed after it
  /// x, y, z of the particles, frame by frame and label by label.
  DataHandle handle;
  std::vector<std::uint32_t> label_begin;  ///< what the frames refer to
  std::vector<codelets::LabelledFrame> frames;
};

/// A batch whose tasks are submitted: keeps its positions, notes what each task took,
/// and counts the tasks down. References must live until the last task has ended.
class SubmittedBatch {
 public:
  /// `labelled`: empty where no pairs are counted with labels.
  /// `tasks`: how many will be watched; `tasks_for_any`: of them those that not only
  /// CPU workers may do. `cpu_share` learns of the others.
  SubmittedBatch(std::shared_ptr<const PreparedPositions> positions,
                 std::optional<LabelledPositions>&& labelled, std::size_t tasks,
                 std::size_t tasks_for_any, codelets::RunStatus& status,
                 CpuShare& cpu_share, const BatchEvents& events);
  SubmittedBatch(const SubmittedBatch&) = delete;
  SubmittedBatch& operator=(const SubmittedBatch&) = delete;

  /// By species, in the order of the file; none where there is no particle.
  const std::vector<DataHandle>& positions() const {
    return positions_->positions.handles;
  }

  const std::optional<LabelledPositions>& labelled() const { return labelled_; }

  /// True when no task uses the positions any more, and this may go.
  bool ended() const { return tasks_ == 0; }

  /// Has a counting task that is about to be submitted tell when it has ended; `model`
  /// then learns from its time. `for_cpu`: only CPU workers may do it.
  void watch_counting(starpu_task& task, perfmodels::CountPairsModel& model,
                      bool for_cpu);
  /// The same for a task that counts pairs within compounds.
  void watch_compounds(starpu_task& task);
  /// The same for a task that counts pairs with labels.
  void watch_labelled(starpu_task& task);

 private:
  /// What is to be known when a counting task has ended.
  struct Ticket {
    SubmittedBatch* batch;
    perfmodels::CountPairsModel* model;
    bool for_cpu;
  };
  static void counting_ended(void* ticket_of_task) noexcept;
  static void compounds_ended(void* submitted_batch) noexcept;
  static void labelled_ended(void* submitted_batch) noexcept;
  /// Notes the record, if there is one, and counts the task down.
  void note(const std::optional<codelets::TaskRecord>& record) noexcept;
  void task_ended() noexcept;

  const std::shared_ptr<const PreparedPositions> positions_;
  std::optional<LabelledPositions> labelled_;
  std::atomic<std::size_t> tasks_;
  std::atomic<std::size_t> tasks_for_any_;
  codelets::RunStatus& status_;
  CpuShare& cpu_share_;
  const BatchEvents& events_;
  std::vector<Ticket> tickets_;  ///< never grows beyond what it reserves
};

}  // namespace starhist::tasks
