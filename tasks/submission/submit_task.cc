#include "tasks/submission/submit_task.hh"

#include "tasks/runtime/check.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {

void set_buffers(starpu_task& task, const SpeciesPair& pair,
                 const std::vector<DataHandle>& positions,
                 starpu_data_handle_t counts) {
  int buffer = 0;
  task.handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task.handles[buffer++] = positions[pair.second.index()].get();
  }
  task.handles[buffer] = counts;
}

void restrict_to(std::vector<std::uint32_t>* workers, starpu_task& task) {
  if (workers != nullptr) {
    task.workerids = workers->data();
    task.workerids_len = static_cast<unsigned>(workers->size());
  }
}

void submit_task(starpu_task* task, const std::string& action) {
  const int code = starpu_task_submit(task);
  if (code != 0) {
    task->destroy = 0;
    starpu_task_destroy(task);
    check_starpu(code, action);
  }
  spend_time_on_task();
}

}  // namespace starhist::tasks
