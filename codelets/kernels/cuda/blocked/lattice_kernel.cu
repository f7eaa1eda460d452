#include "codelets/kernels/cuda/blocked/lattice_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {
namespace {

template <class Displacement>
Kernel instance(std::uint32_t entries, int shared_bytes, bool few_rows) {
  return few_rows
             ? kernel_for<LatticeEngine<Displacement, 1, false>>(entries, shared_bytes)
             : kernel_for<LatticeEngine<Displacement, 4, false>>(entries, shared_bytes);
}

/// The kernel with counters for all pairs. Its function is null if they do not fit.
template <bool centred>
Kernel inside_instance(std::uint32_t reach, int shared_bytes, bool few_rows) {
  using Displacement = OrthogonalDisplacement<centred>;
  return few_rows ? wide_kernel_for<LatticeEngine<Displacement, 1, true>>(reach,
                                                                          shared_bytes)
                  : wide_kernel_for<LatticeEngine<Displacement, 4, true>>(reach,
                                                                          shared_bytes);
}

}  // namespace

Kernel lattice_kernel(std::uint32_t entries, std::uint32_t reach, int shared_bytes,
                      Metric metric, bool few_rows) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal: {
      const Kernel kernel = inside_instance<false>(reach, shared_bytes, few_rows);
      return kernel.function != nullptr ? kernel
                                        : instance<OrthogonalDisplacement<false>>(
                                              entries, shared_bytes, few_rows);
    }
    case Metric::triangular:
      return instance<SkewedDisplacement<Metric::triangular>>(entries, shared_bytes,
                                                              few_rows);
    case Metric::searched:
      return instance<SkewedDisplacement<Metric::searched>>(entries, shared_bytes,
                                                            few_rows);
  }
  return {};
}

Kernel centred_kernel(std::uint32_t reach, int shared_bytes, bool few_rows) {
  return inside_instance<true>(reach, shared_bytes, few_rows);
}

}  // namespace starhist::kernels::cuda
