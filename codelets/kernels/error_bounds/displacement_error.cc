#include "codelets/kernels/error_bounds/displacement_error.hh"

namespace starhist::kernels {

double displacement_error(const MinimumImage& image, const Bounds& bounds) {
  double edges = 0.0;
  double skew = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    edges += length(image.edge[axis]);
    skew += length(image.edge[axis]) * length(image.dual[axis]);
  }
  constexpr double generous = 128.0 * 0x1p-53;
  const double largest = bounds.magnitude();
  return generous * ((2.0 + skew) * (largest + edges) + skew * skew * largest);
}

}  // namespace starhist::kernels
