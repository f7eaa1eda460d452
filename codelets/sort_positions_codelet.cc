#include "codelets/sort_positions_codelet.hh"

#include "codelets/estimated_codelet.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/sort_positions_cuda.hh"
#include "codelets/task_buffers.hh"
#include "perfmodels/gpu_speeds.hh"

namespace starhist::codelets {
namespace {

void sort_positions(std::span<const SortSlice> slices, const double* positions,
                    double* sorted) {
  for (const SortSlice& slice : slices) {
    const kernels::PositionSpan span{positions + 3 * slice.offset, slice.count};
    kernels::copy_in_spatial_order(span, slice.image, kernels::ClusterAxes::lattice,
                                   sorted + 3 * slice.offset);
  }
}

void sort_on_cpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const SortPositionsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    sort_positions(args.slices(), pointer_to<double>(buffers[0]),
                   pointer_to<double>(buffers[1]));
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

/// Predicted time of a task [microseconds].
double sort_microseconds(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
  const double particles =
      static_cast<double>(starpu_vector_get_nx(task->handles[0])) / 3.0;
  const bool gpu = arch->devices[0].type == STARPU_CUDA_WORKER;
  constexpr double gpu_start = 100.0;
  return gpu ? gpu_start + 1e6 * gpu_sort_weight() *
                               perfmodels::gpu_seconds_to_sort_a_particle({}) *
                               particles
             : 1e6 * kernels::seconds_to_sort_a_particle * particles;
}

}  // namespace

starpu_codelet* sort_positions_codelet() {
  static starpu_perfmodel model = estimate_model("sort_positions", sort_microseconds);
  static starpu_codelet codelet = [] {
    starpu_codelet c = codelet_of("sort_positions", model);
    c.cpu_funcs[0] = sort_on_cpu;
    add_cuda_sort(c);
    c.nbuffers = 2;
    c.modes[0] = STARPU_R;
    c.modes[1] = STARPU_W;
    return c;
  }();
  return &codelet;
}

}  // namespace starhist::codelets
