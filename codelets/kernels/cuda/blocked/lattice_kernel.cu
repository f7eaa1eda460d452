#include "codelets/kernels/cuda/blocked/lattice_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {
namespace {

template <Metric metric>
Kernel instance(std::uint32_t entries, int shared_bytes, bool few_rows) {
  return few_rows ? kernel_for<LatticeEngine<metric, 1, false>>(entries, shared_bytes)
                  : kernel_for<LatticeEngine<metric, 4, false>>(entries, shared_bytes);
}

Kernel orthogonal_instance(std::uint32_t entries, std::uint32_t reach, int shared_bytes,
                           bool few_rows) {
  const Kernel kernel = few_rows
                            ? wide_kernel_for<LatticeEngine<Metric::diagonal, 1, true>>(
                                  reach, shared_bytes)
                            : wide_kernel_for<LatticeEngine<Metric::diagonal, 4, true>>(
                                  reach, shared_bytes);
  return kernel.function != nullptr
             ? kernel
             : instance<Metric::diagonal>(entries, shared_bytes, few_rows);
}

}  // namespace

Kernel lattice_kernel(std::uint32_t entries, std::uint32_t reach, int shared_bytes,
                      Metric metric, bool few_rows) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal:
      return orthogonal_instance(entries, reach, shared_bytes, few_rows);
    case Metric::triangular:
      return instance<Metric::triangular>(entries, shared_bytes, few_rows);
    case Metric::searched:
      return instance<Metric::searched>(entries, shared_bytes, few_rows);
  }
  return {};
}

}  // namespace starhist::kernels::cuda
