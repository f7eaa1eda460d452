// Replaces the CUDA implementations in a build without CUDA.
#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_cuda.hh"
#include "codelets/gpu_trial.hh"
#include "codelets/merge_counts_cuda.hh"
#include "codelets/pin_memory.hh"
#include "codelets/second_axis/count_second_axis.hh"
#include "codelets/sort_positions_cuda.hh"

namespace starhist::codelets {

void add_cuda_implementations(starpu_codelet&, perfmodels::Geometry, perfmodels::Order,
                              const std::string& variant) {
  if (variant != "auto") {
    throw InputError("this build has no CUDA kernels, so no variant '" + variant + "'");
  }
}

void collect_skipped_pairs_of_gpus(RunStatus&) {}
std::vector<GpuTrial> gpu_trials() {
  return {};
}
void add_cuda_sort(starpu_codelet&) {}
std::size_t gpu_sort_bytes(std::size_t) {
  return 0;
}
double gpu_sort_weight() {
  return 1.0;
}
void add_cuda_merge(starpu_codelet&) {}
void add_cuda_zero(starpu_codelet&) {}
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
