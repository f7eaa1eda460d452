#include "codelets/labelled/count_labelled_pairs_codelet.hh"

#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/estimated_codelet.hh"
#include "codelets/measured_task.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

void count_on_cpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const CountLabelledPairsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    const auto* positions = pointer_to<const double>(buffers[0]);
    std::vector<kernels::cpu::LabelledBlock> frames;
    frames.reserve(args.slice_count);
    for (const LabelledFrame& frame : args.slices()) {
      frames.push_back({{positions + 3 * frame.offset, frame.count},
                        frame.label_begin,
                        &frame.image,
                        &args.bins});
    }
    const kernels::CountedPairs counted = kernels::cpu::count_labelled_pairs(
        frames, args.group->runs, args.threads, pointer_to<std::uint64_t>(buffers[1]));
    if (counted.pairs != args.pairs) {
      throw InternalError("a task counted " + std::to_string(counted.pairs) + " of " +
                          std::to_string(args.pairs) + " pairs of small species");
    }
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

/// Predicted time of a task [microseconds], from rates of one core with AVX2. An
/// estimate is sufficient, because no GPU competes for these tasks.
double microseconds(starpu_task* task, starpu_perfmodel_arch*, unsigned) {
  constexpr double per_pair = 0.002;
  const auto& args = *static_cast<const CountLabelledPairsArgs*>(task->cl_arg);
  return 2.0 + per_pair * static_cast<double>(args.pairs);
}

}  // namespace

std::optional<TaskRecord> labelled_record_of(const starpu_task& task) {
  std::optional<TaskRecord> record = measured_task(task);
  if (record) {
    const auto& args = *static_cast<const CountLabelledPairsArgs*>(task.cl_arg);
    record->pairs = args.pairs;
    record->frames = args.slice_count;
    record->predicted = 0.0;  // an estimate, not a model whose error is reported
  }
  return record;
}

starpu_codelet* count_labelled_pairs_codelet() {
  static starpu_perfmodel model = estimate_model("count_labelled_pairs", microseconds);
  static starpu_codelet codelet = [] {
    starpu_codelet c = codelet_of("count_labelled_pairs", model);
    c.cpu_funcs[0] = count_on_cpu;
    c.nbuffers = 2;
    c.modes[0] = STARPU_R;
    c.modes[1] = STARPU_RW;
    return c;
  }();
  return &codelet;
}

}  // namespace starhist::codelets
