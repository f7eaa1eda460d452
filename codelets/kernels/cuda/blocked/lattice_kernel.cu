#include "codelets/kernels/cuda/blocked/lattice_engine.cuh"
#include "codelets/kernels/cuda/kernels.hh"

namespace starhist::kernels::cuda {
namespace {

template <class Displacement>
Kernel instance(std::uint32_t entries, int shared_bytes, std::uint64_t rows) {
  constexpr std::uint64_t few = panel_rows<LatticeEngine<Displacement, 4, false>>;
  return rows < few
             ? kernel_for<LatticeEngine<Displacement, 1, false>>(entries, shared_bytes)
             : kernel_for<LatticeEngine<Displacement, 4, false>>(entries, shared_bytes);
}

/// The kernel with counters for all pairs. Its function is null if they do not fit.
/// Each thread holds as many rows as fill the warps of a panel best: one if all rows
/// fit in a panel, four if they fill more than half of such a panel, otherwise two.
template <bool centred>
Kernel inside_instance(std::uint32_t reach, int shared_bytes, std::uint64_t rows) {
  using Displacement = OrthogonalDisplacement<centred>;
  using One = LatticeEngine<Displacement, 1, true>;
  using Two = LatticeEngine<Displacement, 2, true>;
  using Four = LatticeEngine<Displacement, 4, true>;
  constexpr std::uint64_t more_than_half = panel_rows<Four> * 9 / 16;
  if (rows <= panel_rows<One>) {
    return wide_kernel_for<One>(reach, shared_bytes);
  }
  return rows > more_than_half && rows <= panel_rows<Four>
             ? wide_kernel_for<Four>(reach, shared_bytes)
             : wide_kernel_for<Two>(reach, shared_bytes);
}

}  // namespace

Kernel lattice_kernel(std::uint32_t entries, std::uint32_t reach, int shared_bytes,
                      Metric metric, std::uint64_t rows) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal: {
      const Kernel kernel = inside_instance<false>(reach, shared_bytes, rows);
      return kernel.function != nullptr
                 ? kernel
                 : instance<OrthogonalDisplacement<false>>(entries, shared_bytes, rows);
    }
    case Metric::triangular:
      return instance<SkewedDisplacement<Metric::triangular>>(entries, shared_bytes,
                                                              rows);
    case Metric::searched:
      return instance<SkewedDisplacement<Metric::searched>>(entries, shared_bytes,
                                                            rows);
  }
  return {};
}

Kernel centred_kernel(std::uint32_t reach, int shared_bytes, std::uint64_t rows) {
  return inside_instance<true>(reach, shared_bytes, rows);
}

}  // namespace starhist::kernels::cuda
