#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/lattice_engine.cuh"

namespace starhist::cuda {
namespace {

template <Metric metric, int rows_per_thread>
Kernel instance(bool windowed, bool tiled) {
  using Engine = LatticeEngine<metric, rows_per_thread>;
  return windowed ? kernel_of<Engine, Range::windowed>(tiled)
                  : kernel_of<Engine, Range::limited>(tiled);
}

template <Metric metric>
Kernel instance(bool windowed, bool few_rows, bool tiled) {
  return few_rows ? instance<metric, 1>(windowed, tiled)
                  : instance<metric, 4>(windowed, tiled);
}

}  // namespace

Kernel lattice_kernel(Metric metric, bool windowed, bool few_rows, bool tiled) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal:
      return instance<Metric::diagonal>(windowed, few_rows, tiled);
    case Metric::triangular:
      return instance<Metric::triangular>(windowed, few_rows, tiled);
    case Metric::searched:
      return instance<Metric::searched>(windowed, few_rows, tiled);
  }
  return {};
}

}  // namespace starhist::cuda
