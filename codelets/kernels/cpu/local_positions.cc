#include "codelets/kernels/cpu/local_positions.hh"

#include <algorithm>
#include <cmath>

#include "codelets/kernels/cpu/fixed_point.hh"

namespace starhist::kernels::cpu {

template <class Real>
void LocalPositions<Real>::set(const FixedLattice& lattice,
                               const std::int32_t* const (&xyz)[3],
                               std::size_t particles, const ClusterBoxes& boxes,
                               std::size_t group) {
  double rows[6];
  for (int k = 0; k < 6; ++k) {
    rows[k] = 0x1p-32 * lattice.rows[k];
  }
  for (auto& axis : at) {
    axis.resize(particles + coordinate_padding);
  }
  extent.resize(boxes.count());
  for (std::size_t cluster = 0; cluster < boxes.count(); ++cluster) {
    std::uint32_t centre[3];
    for (int axis = 0; axis < 3; ++axis) {
      centre[axis] = static_cast<std::uint32_t>(boxes.centre[axis][cluster]);
    }
    double longest2 = 0.0;
    double longest[3] = {};
    const std::size_t end = std::min((cluster + 1) * group, particles);
    for (std::size_t i = cluster * group; i < end; ++i) {
      double d[3];
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = static_cast<std::int32_t>(static_cast<std::uint32_t>(xyz[axis][i]) -
                                            centre[axis]);
      }
      const double x = rows[0] * d[0] + rows[1] * d[1] + rows[3] * d[2];
      const double y = rows[2] * d[1] + rows[4] * d[2];
      const double z = rows[5] * d[2];
      at[0][i] = static_cast<Real>(x);
      at[1][i] = static_cast<Real>(y);
      at[2][i] = static_cast<Real>(z);
      longest2 = std::max(longest2, x * x + y * y + z * z);
      longest[0] = std::max(longest[0], std::abs(x));
      longest[1] = std::max(longest[1], std::abs(y));
      longest[2] = std::max(longest[2], std::abs(z));
    }
    constexpr float upwards = 1.0F + 1e-6F;
    extent[cluster].radius = upwards * static_cast<float>(std::sqrt(longest2));
    for (int axis = 0; axis < 3; ++axis) {
      extent[cluster].along[axis] = upwards * static_cast<float>(longest[axis]);
    }
  }
}

template struct LocalPositions<float>;
template struct LocalPositions<double>;

}  // namespace starhist::kernels::cpu
