#include "tasks/submission/submit_task.hh"

#include <algorithm>
#include <bit>
#include <climits>

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

int task_priority(std::uint64_t batch, std::uint64_t pairs, PriorityRange range) {
  constexpr std::int64_t sizes = 64;  // a number of pairs has up to 64 bits
  constexpr std::int64_t most_batches = INT_MAX / sizes;
  const auto size = static_cast<std::int64_t>(std::bit_width(pairs));
  const std::int64_t least = range.least;
  const std::int64_t most = range.most;
  const std::int64_t wanted =
      most - least < most_batches
          ? size
          : size - sizes * std::min(static_cast<std::int64_t>(batch), most_batches);
  return static_cast<int>(std::clamp(wanted, least, most));
}

}  // namespace starhist::tasks
