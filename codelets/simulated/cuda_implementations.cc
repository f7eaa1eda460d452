// Replaces the CUDA implementations in a build that simulates GPUs: StarPU never calls
// the implementations of a simulated worker, but places no task without them.
#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_cuda.hh"
#include "codelets/gpu_trial.hh"
#include "codelets/merge_counts_cuda.hh"
#include "codelets/pin_memory.hh"
#include "codelets/second_axis/count_second_axis.hh"
#include "codelets/sort_positions_cuda.hh"

namespace starhist::codelets {
namespace {

void not_called(void* /*buffers*/[], void* /*args*/) noexcept {}

void add_simulated(starpu_codelet& codelet) {
  codelet.cuda_funcs[0] = not_called;
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
}

/// Adds the methods of a reduction. StarPU simulates no time for their tasks, and
/// forgets to mark asynchronous ones as ended, so that a GPU can wait forever
/// (docs/developer/simulation.md).
void add_simulated_method(starpu_codelet& codelet) {
  codelet.cuda_funcs[0] = not_called;
}

}  // namespace

void add_cuda_implementations(starpu_codelet& codelet, perfmodels::Geometry geometry,
                              perfmodels::Order order, const std::string& variant) {
  if (variant != "auto") {
    throw InputError("GPU kernels are simulated as models have them, so no variant '" +
                     variant + "'");
  }
  add_simulated(codelet);
  if (geometry == perfmodels::Geometry::open && order == perfmodels::Order::any) {
    codelet.cuda_funcs[1] = not_called;
    codelet.cuda_flags[1] = STARPU_CUDA_ASYNC;
  }
}

void collect_skipped_pairs_of_gpus(RunStatus&) {}
std::vector<GpuTrial> gpu_trials() {
  return {};
}
void add_cuda_sort(starpu_codelet& codelet) {
  add_simulated(codelet);
}
/// Bytes of GPU memory for sorting, in addition to the positions; about as much as
/// CUB's radix sort of 64-bit keys with 32-bit values, twice each.
std::size_t gpu_sort_bytes(std::size_t particles) {
  return 24 * particles;
}
/// H100, 13 frames of 100 000 particles: counting tasks during a sort take 0.26 to 0.37
/// ns per particle longer; a separate sort takes 1 ns.
double gpu_sort_weight() {
  return 0.3;
}
void add_cuda_merge(starpu_codelet& codelet) {
  add_simulated_method(codelet);
}
void add_cuda_zero(starpu_codelet& codelet) {
  add_simulated_method(codelet);
}
bool count_second_axis_on_gpu(const kernels::SecondAxisPairs&, bool,
                              const std::function<std::optional<kernels::RowRange>()>&,
                              std::uint64_t*) {
  return false;
}
bool pin_memory(void*, std::size_t) noexcept {
  return false;
}
void unpin_memory(void*) noexcept {}

}  // namespace starhist::codelets
