#include "codelets/merge_counts_codelet.hh"

#include "codelets/estimated_codelet.hh"
#include "codelets/kernels/cpu/cpu_merge_counts.hh"
#include "codelets/merge_counts_cuda.hh"
#include "codelets/task_buffers.hh"

namespace starhist::codelets {
namespace {

void merge_on_cpu(void* buffers[], void* /*args*/) noexcept {
  kernels::cpu::merge_counts(pointer_to<std::uint64_t>(buffers[0]),
                             pointer_to<std::uint64_t>(buffers[1]),
                             STARPU_VECTOR_GET_NX(buffers[0]));
}

void zero_on_cpu(void* buffers[], void* /*args*/) noexcept {
  kernels::cpu::zero_counts(pointer_to<std::uint64_t>(buffers[0]),
                            STARPU_VECTOR_GET_NX(buffers[0]));
}

/// Access mode of the sum: StarPU 1.3 requires STARPU_RW, 1.4 a commutative one.
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
constexpr auto sum_mode = STARPU_RW;
#else
constexpr auto sum_mode =
    static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);
#endif

/// Predicted time [microseconds] from memory bandwidth. An estimate is sufficient,
/// because both tasks are short.
double merge_microseconds(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
  const bool gpu = arch->devices[0].type == STARPU_CUDA_WORKER;
  const double bytes =
      24.0 * static_cast<double>(starpu_vector_get_nx(task->handles[0]));
  return gpu ? 5.0 + bytes / 1e6 : 1.0 + bytes / 1e4;
}

}  // namespace

starpu_codelet* merge_counts_codelet() {
  static starpu_perfmodel model = estimate_model("merge_counts", merge_microseconds);
  static starpu_codelet codelet = [] {
    starpu_codelet c = codelet_of("merge_counts", model);
    c.cpu_funcs[0] = merge_on_cpu;
    add_cuda_merge(c);
    c.nbuffers = 2;
    c.modes[0] = sum_mode;
    c.modes[1] = STARPU_R;
    return c;
  }();
  return &codelet;
}

starpu_codelet* zero_counts_codelet() {
  static starpu_perfmodel model = estimate_model("zero_counts", merge_microseconds);
  static starpu_codelet codelet = [] {
    starpu_codelet c = codelet_of("zero_counts", model);
    c.cpu_funcs[0] = zero_on_cpu;
    add_cuda_zero(c);
    c.nbuffers = 1;
    c.modes[0] = STARPU_W;
    return c;
  }();
  return &codelet;
}

}  // namespace starhist::codelets
