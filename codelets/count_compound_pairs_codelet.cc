#include "codelets/count_compound_pairs_codelet.hh"

#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/estimated_codelet.hh"
#include "codelets/kernels/cpu/count_compound_pairs.hh"
#include "codelets/measured_task.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

void count_compound_on_cpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const CountCompoundPairsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    const auto* first = pointer_to<const double>(buffers[0]);
    const bool like = args.compounds->like();
    count_compound_pairs(args, args.slices(), first,
                         like ? first : pointer_to<const double>(buffers[1]),
                         pointer_to<std::uint64_t>(buffers[like ? 1 : 2]));
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

/// Predicted time of a task [microseconds], from rates of one core with AVX2. An
/// estimate is sufficient for these short tasks.
double compound_microseconds(starpu_task* task, starpu_perfmodel_arch*, unsigned) {
  constexpr double per_pair = 0.01;
  const auto& args = *static_cast<const CountCompoundPairsArgs*>(task->cl_arg);
  return 2.0 + per_pair * static_cast<double>(args.rows.pairs) * args.slice_count;
}

starpu_codelet make_codelet(perfmodels::PairKind kind, starpu_perfmodel& model) {
  starpu_codelet codelet = codelet_of("count_unit_pairs", model);
  codelet.cpu_funcs[0] = count_compound_on_cpu;
  codelet.nbuffers = kind == perfmodels::PairKind::like ? 2 : 3;
  for (int buffer = 0; buffer < codelet.nbuffers - 1; ++buffer) {
    codelet.modes[buffer] = STARPU_R;
  }
  codelet.modes[codelet.nbuffers - 1] = STARPU_REDUX;
  return codelet;
}

}  // namespace

void count_compound_pairs(const CountCompoundPairsArgs& args,
                          std::span<const CompoundFrame> frames, const double* first,
                          const double* second, std::uint64_t* counts) {
  std::vector<kernels::cpu::CompoundBlock> blocks;
  for (const CompoundFrame& frame : frames) {
    kernels::cpu::CompoundBlock block;
    block.compounds = args.compounds;
    block.rows = args.rows;
    block.first = {first + 3 * frame.first_offset, frame.first_count};
    block.second = {second + 3 * frame.second_offset, frame.second_count};
    block.image = &frame.image;
    block.bins = &args.bins;
    blocks.push_back(block);
  }
  const std::size_t size = args.bins.count + std::size_t{1};
  std::vector<std::uint64_t> own;
  if (args.what == CompoundTask::subtract) {
    own.resize(size);
  }
  const std::uint64_t counted = kernels::cpu::count_compound_pairs(
      blocks, args.threads, own.empty() ? counts : own.data());
  for (std::size_t k = 0; k < own.size(); ++k) {
    counts[k] -= own[k];
  }
  if (counted != args.rows.pairs * frames.size()) {
    throw InternalError("a task counted " + std::to_string(counted) + " of " +
                        std::to_string(args.rows.pairs * frames.size()) +
                        " pairs within units");
  }
}

std::optional<TaskRecord> compound_record_of(const starpu_task& task) {
  std::optional<TaskRecord> record = measured_task(task);
  if (record) {
    const auto& args = *static_cast<const CountCompoundPairsArgs*>(task.cl_arg);
    record->pairs =
        args.what == CompoundTask::add ? args.rows.pairs * args.slice_count : 0;
    record->frames = args.slice_count;
    record->predicted = 0.0;  // an estimate, not a model whose error is reported
  }
  return record;
}

starpu_codelet* count_compound_pairs_codelet(perfmodels::PairKind kind) {
  static starpu_perfmodel model =
      estimate_model("count_unit_pairs", compound_microseconds);
  static starpu_codelet like = make_codelet(perfmodels::PairKind::like, model);
  static starpu_codelet unlike = make_codelet(perfmodels::PairKind::unlike, model);
  return kind == perfmodels::PairKind::like ? &like : &unlike;
}

}  // namespace starhist::codelets
