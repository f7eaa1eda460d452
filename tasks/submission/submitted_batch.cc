#include "tasks/submission/submitted_batch.hh"

#include <optional>
#include <utility>

#include "codelets/count_compound_pairs_codelet.hh"
#include "codelets/count_pairs_codelet.hh"

namespace starhist::tasks {

SubmittedBatch::SubmittedBatch(std::shared_ptr<const PreparedPositions> positions,
                               std::optional<LabelledPositions>&& labelled,
                               std::size_t tasks, std::size_t tasks_for_any,
                               codelets::RunStatus& status, CpuShare& cpu_share,
                               const BatchEvents& events)
    : positions_(std::move(positions)),
      labelled_(std::move(labelled)),
      tasks_(tasks),
      tasks_for_any_(tasks_for_any),
      status_(status),
      cpu_share_(cpu_share),
      events_(events) {
  tickets_.reserve(tasks);
}

void SubmittedBatch::watch_counting(starpu_task& task,
                                    perfmodels::CountPairsModel& model,
                                    std::uint64_t cpu_pairs) {
  tickets_.push_back({this, &model, cpu_pairs});
  cpu_share_.task_submitted(cpu_pairs);
  task.callback_func = counting_ended;
  task.callback_arg = &tickets_.back();
}

void SubmittedBatch::watch_compounds(starpu_task& task) {
  task.callback_func = compounds_ended;
  task.callback_arg = this;
}

void SubmittedBatch::watch_labelled(starpu_task& task) {
  task.callback_func = labelled_ended;
  task.callback_arg = this;
}

void SubmittedBatch::counting_ended(void* ticket_of_task) noexcept {
  const Ticket& ticket = *static_cast<Ticket*>(ticket_of_task);
  SubmittedBatch& batch = *ticket.batch;
  batch.cpu_share_.task_ended(ticket.cpu_pairs);
  starpu_task* task = starpu_task_get_current();
  const std::optional<codelets::TaskRecord> record = codelets::record_of(*task);
  if (record && !batch.status_.stopped()) {
    const auto& args = *static_cast<const codelets::CountPairsArgs*>(task->cl_arg);
    if (args.repeated_pairs == 0) {  // repeated launches would distort the GPU's speed
      const starpu_worker_archtype kind = starpu_worker_get_type(record->worker);
      ticket.model->observe({kind, starpu_worker_get_devid(record->worker)},
                            starpu_task_get_implementation(task),
                            perfmodels::CountPairsModel::evaluated(args.size, kind),
                            args.size.frame_count, record->end - record->start);
    }
    batch.status_.record(*record);
  }
  if (ticket.cpu_pairs == 0 && batch.tasks_for_any_.fetch_sub(1) == 1) {
    batch.events_.left_to_cpus();
  }
  batch.task_ended();
}

void SubmittedBatch::compounds_ended(void* submitted_batch) noexcept {
  static_cast<SubmittedBatch*>(submitted_batch)
      ->note(codelets::compound_record_of(*starpu_task_get_current()));
}

void SubmittedBatch::labelled_ended(void* submitted_batch) noexcept {
  static_cast<SubmittedBatch*>(submitted_batch)
      ->note(codelets::labelled_record_of(*starpu_task_get_current()));
}

void SubmittedBatch::note(const std::optional<codelets::TaskRecord>& record) noexcept {
  if (record && !status_.stopped()) {
    status_.record(*record);
  }
  task_ended();
}

/// After the last task the submitting thread may destroy this object at any time.
void SubmittedBatch::task_ended() noexcept {
  const BatchEvents& events = events_;
  if (tasks_.fetch_sub(1) == 1) {
    events.ended();
  }
}

}  // namespace starhist::tasks
