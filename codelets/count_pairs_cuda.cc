#include "codelets/count_pairs_cuda.hh"

#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_codelet.hh"
#include "codelets/gpu_scratch_cuda.hh"
#include "codelets/kernels/cuda/launch/cuda_count_pairs.hh"
#include "codelets/kernels/cuda/launch/fault.hh"

namespace starhist::codelets {
namespace {

std::string worker_name() {
  char name[64] = "";
  starpu_worker_get_name(starpu_worker_get_id_check(), name, sizeof(name));
  return name;
}

[[noreturn]] void throw_cuda_error(cudaError_t error, const std::string& consequence) {
  throw RunError(worker_name() + ": CUDA reports '" + cudaGetErrorString(error) +
                 "' when pairs are to be counted" + consequence);
}

void repetition_ended(void* run_status) noexcept {
  auto& status = *static_cast<RunStatus*>(run_status);
  std::optional<TaskRecord> record = record_of(*starpu_task_get_current());
  if (record && !status.stopped()) {
    record->predicted = 0.0;  // not planned by the scheduler
    status.record(*record);
  }
}

/// Submits a task that counts the slices from `first_slice` on, with `pairs` pairs, on
/// a CPU worker. The end of the current task depends on the end of the new one, so that
/// no count is missed. Both use the same data at the same time. Throws RunError if
/// StarPU refuses the task.
void repeat_on_cpu(const CountPairsArgs& args, std::size_t first_slice,
                   std::uint64_t pairs) {
  starpu_task* current = starpu_task_get_current();
  starpu_task* task = starpu_task_create();
  task->cl = current->cl;
  task->name = current->name;
  task->where = STARPU_CPU;
  task->sequential_consistency = 0;
  task->priority = current->priority;
  task->callback_func = repetition_ended;
  task->callback_arg = args.status;
  for (int buffer = 0; buffer < task->cl->nbuffers; ++buffer) {
    task->handles[buffer] = current->handles[buffer];
  }
  CountPairsArgs rest = args;
  const double share =
      static_cast<double>(pairs) / static_cast<double>(args.size.pairs);
  rest.size.pairs = pairs;
  rest.size.evaluated =
      static_cast<std::uint64_t>(share * static_cast<double>(args.size.evaluated));
  rest.size.frame_count = args.slice_count - static_cast<std::uint32_t>(first_slice);
  set_task_args(*task, rest, args.slices().subspan(first_slice));
  args.repeated_pairs = pairs;
  args.status->add_repeated_task();
  starpu_task_declare_end_deps_array(current, 1, &task);
  if (starpu_task_submit(task) != 0) {
    starpu_task_end_dep_release(current);
    task->destroy = 0;
    starpu_task_destroy(task);
    throw RunError("no CPU worker can repeat a task refused by a GPU");
  }
}

/// Handles a failed launch: repeats the uncounted pairs on a CPU worker, or throws
/// RunError if that is impossible.
void refused(const CountPairsArgs& args, std::span<const kernels::PairBlock> blocks,
             const kernels::cuda::Launch& launch) {
  // An error that persists has destroyed the context and all counts in it.
  if (cudaGetLastError() != cudaSuccess) {
    throw_cuda_error(launch.error, " (the GPU can no longer be used)");
  }
  if (launch.begun) {
    throw_cuda_error(launch.error, ", after a part of them was");
  }
  if (starpu_cpu_worker_get_count() == 0) {
    throw_cuda_error(launch.error,
                     ", and no CPU worker is available to run it instead");
  }
  repeat_on_cpu(args, launch.counted, pair_count(blocks.subspan(launch.counted)));
}

template <kernels::cuda::Variant variant>
void count_on_gpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const CountPairsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    const std::vector<kernels::PairBlock> blocks = blocks_of(buffers, args);
    std::vector<kernels::Bounds> bounds;
    bounds.reserve(blocks.size());
    for (const FrameSlice& slice : args.slices()) {
      bounds.push_back(slice.bounds);
    }
    const kernels::cuda::Launch launch = kernels::cuda::count_pairs(
        blocks, bounds, variant, counts_of(buffers, args),
        scratch_of_worker(args.scratch), starpu_cuda_get_local_stream());
    if (launch.error != cudaSuccess) {
      refused(args, blocks, launch);
    }
    kernels::cuda::slow_down(args.size.evaluated_by_gpu,
                             starpu_cuda_get_local_stream());
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

/// Adds the skipped pairs of the worker's GPU, on one of the workers of each GPU.
void collect_skipped_pairs(void* run_status) {
  const int worker = starpu_worker_get_id_check();
  const int collector =
      starpu_worker_get_by_devid(STARPU_CUDA_WORKER, starpu_worker_get_devid(worker));
  if (worker != collector) {
    return;
  }
  auto& status = *static_cast<RunStatus*>(run_status);
  std::uint64_t pairs = 0;
  const cudaError_t error = kernels::cuda::take_skipped_pairs(pairs);
  if (error != cudaSuccess) {
    status.fail(std::make_exception_ptr(
        RunError(worker_name() + ": CUDA reports '" + cudaGetErrorString(error) +
                 "' when the number of skipped pairs is read")));
  }
  status.add_skipped_pairs(pairs);
}

starpu_cuda_func_t implementation(kernels::cuda::Variant variant) {
  switch (variant) {
    case kernels::cuda::Variant::automatic:
      return count_on_gpu<kernels::cuda::Variant::automatic>;
    case kernels::cuda::Variant::tensor:
      return count_on_gpu<kernels::cuda::Variant::tensor>;
    case kernels::cuda::Variant::fixed_point:
      return count_on_gpu<kernels::cuda::Variant::fixed_point>;
    case kernels::cuda::Variant::definition:
      return count_on_gpu<kernels::cuda::Variant::definition>;
  }
  return nullptr;
}

}  // namespace

void collect_skipped_pairs_of_gpus(RunStatus& status) {
  starpu_execute_on_each_worker(collect_skipped_pairs, &status, STARPU_CUDA);
  status.rethrow_error();
}

void add_cuda_implementations(starpu_codelet& codelet, perfmodels::Geometry geometry,
                              perfmodels::Order order, const std::string& variant) {
  const kernels::cuda::Variant chosen = kernels::cuda::parse_variant(variant);
  codelet.cuda_funcs[0] = implementation(chosen);
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
  if (chosen == kernels::cuda::Variant::automatic &&
      geometry == perfmodels::Geometry::open && order == perfmodels::Order::any) {
    codelet.cuda_funcs[0] = implementation(kernels::cuda::Variant::tensor);
    codelet.cuda_funcs[1] = implementation(kernels::cuda::Variant::fixed_point);
    codelet.cuda_flags[1] = STARPU_CUDA_ASYNC;
  }
}

}  // namespace starhist::codelets
