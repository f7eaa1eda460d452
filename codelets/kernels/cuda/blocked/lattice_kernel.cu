#include "codelets/kernels/cuda/blocked/lattice_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {
namespace {

template <Metric metric>
Kernel instance(std::uint32_t entries, int shared_bytes, bool few_rows) {
  return few_rows ? kernel_for<LatticeEngine<metric, 1>>(entries, shared_bytes)
                  : kernel_for<LatticeEngine<metric, 4>>(entries, shared_bytes);
}

}  // namespace

Kernel lattice_kernel(std::uint32_t entries, int shared_bytes, Metric metric,
                      bool few_rows) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal:
      return instance<Metric::diagonal>(entries, shared_bytes, few_rows);
    case Metric::triangular:
      return instance<Metric::triangular>(entries, shared_bytes, few_rows);
    case Metric::searched:
      return instance<Metric::searched>(entries, shared_bytes, few_rows);
  }
  return {};
}

}  // namespace starhist::kernels::cuda
