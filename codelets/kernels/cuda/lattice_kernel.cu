#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/lattice_engine.cuh"

namespace starhist::cuda {
namespace {

template <Metric metric, int rows_per_thread>
Kernel instance(bool windowed) {
  using Engine = LatticeEngine<metric, rows_per_thread>;
  return windowed ? kernel_of<Engine, Range::windowed>()
                  : kernel_of<Engine, Range::limited>();
}

template <Metric metric>
Kernel instance(bool windowed, bool few_rows) {
  return few_rows ? instance<metric, 1>(windowed) : instance<metric, 4>(windowed);
}

}  // namespace

Kernel lattice_kernel(Metric metric, bool windowed, bool few_rows) {
  switch (metric) {
    case Metric::isotropic:
    case Metric::diagonal:
      return instance<Metric::diagonal>(windowed, few_rows);
    case Metric::triangular:
      return instance<Metric::triangular>(windowed, few_rows);
    case Metric::searched:
      return instance<Metric::searched>(windowed, few_rows);
  }
  return {};
}

}  // namespace starhist::cuda
