#include "codelets/count_pairs_codelet.hh"

#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_cuda.hh"
#include "codelets/kernels/cpu/cpu_count_pairs.hh"
#include "codelets/measured_task.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

void count_on_cpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const CountPairsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  // The task was submitted with the number of pairs that a GPU evaluates. StarPU stores
  // the number with the time, for CountPairsModel::load().
  starpu_task_get_current()->flops =
      perfmodels::CountPairsModel::evaluated(args.size, STARPU_CPU_WORKER);
  try {
    const kernels::CountedPairs counted = kernels::cpu::count_pairs(
        blocks_of(buffers, args), args.threads, counts_of(buffers, args),
        &args.status->stop_flag(), args.same_frames);
    if (args.status->stopped()) {
      return;
    }
    if (counted.pairs != args.size.pairs) {
      throw InternalError("a task counted " + std::to_string(counted.pairs) + " of " +
                          std::to_string(args.size.pairs) + " pairs");
    }
    args.status->add_skipped_pairs(counted.skipped);
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

const char* codelet_name(perfmodels::PairKind kind) {
  return kind == perfmodels::PairKind::like ? "count_like_pairs" : "count_unlike_pairs";
}

}  // namespace

std::vector<kernels::PairBlock> blocks_of(void* buffers[], const CountPairsArgs& args) {
  const double* first = pointer_to<const double>(buffers[0]);
  const double* second = args.kind == perfmodels::PairKind::like
                             ? first
                             : pointer_to<const double>(buffers[1]);
  std::vector<kernels::PairBlock> blocks;
  blocks.reserve(args.slice_count);
  for (const FrameSlice& slice : args.slices()) {
    kernels::PairBlock block;
    block.first = {first + 3 * slice.first_offset, slice.first_count};
    block.second = {second + 3 * slice.second_offset, slice.second_count};
    block.like = args.kind == perfmodels::PairKind::like;
    block.row_begin = slice.row_begin;
    block.row_end = slice.row_end;
    block.image = &slice.image;
    block.bins = &args.bins;
    block.clustered = args.clustered != 0;
    blocks.push_back(block);
  }
  return blocks;
}

std::uint64_t* counts_of(void* buffers[], const CountPairsArgs& args) {
  return pointer_to<std::uint64_t>(
      buffers[args.kind == perfmodels::PairKind::like ? 1 : 2]);
}

std::optional<TaskRecord> record_of(const starpu_task& task) {
  std::optional<TaskRecord> record = measured_task(task);
  if (record) {
    const auto& args = *static_cast<const CountPairsArgs*>(task.cl_arg);
    record->pairs = args.size.pairs - args.repeated_pairs;
    record->frames = args.size.frame_count;
    if (args.repeated_pairs > 0) {
      record->predicted = 0.0;
    }
  }
  return record;
}

CountPairsCodelet::CountPairsCodelet(const perfmodels::ModelKey& key) : model_(key) {
  starpu_codelet_init(&codelet_);
  codelet_.name = codelet_name(key.pairs);
  codelet_.model = &model_;
  codelet_.cpu_funcs[0] = count_on_cpu;
  add_cuda_implementations(codelet_, key.geometry, key.order, key.cuda_variant);
  codelet_.nbuffers = key.pairs == perfmodels::PairKind::like ? 2 : 3;
  for (int buffer = 0; buffer < codelet_.nbuffers - 1; ++buffer) {
    codelet_.modes[buffer] = STARPU_R;
  }
  codelet_.modes[codelet_.nbuffers - 1] = STARPU_REDUX;
  for (std::size_t k = 0; k < of_frames_.size(); ++k) {
    of_frames_[k] = codelet_;
    of_frames_[k].model = &model_.of_frames(k);
  }
}

}  // namespace starhist::codelets
