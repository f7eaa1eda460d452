#include "codelets/kernels/cpu/local_positions.hh"

#include "codelets/kernels/cpu/fixed_point.hh"

namespace starhist::cpu {
namespace {

template <class Real>
void convert(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
             std::size_t particles, const TileBoxes& boxes, std::size_t group,
             std::vector<Real> (&out)[3]) {
  double rows[6];
  for (int k = 0; k < 6; ++k) {
    rows[k] = 0x1p-32 * lattice.rows[k];
  }
  for (auto& axis : out) {
    axis.resize(particles + coordinate_padding);
  }
  for (std::size_t i = 0; i < particles; ++i) {
    double at[3];
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = static_cast<std::int32_t>(
          static_cast<std::uint32_t>(xyz[axis][i]) -
          static_cast<std::uint32_t>(boxes.centre[axis][i / group]));
    }
    out[0][i] = static_cast<Real>(rows[0] * at[0] + rows[1] * at[1] + rows[3] * at[2]);
    out[1][i] = static_cast<Real>(rows[2] * at[1] + rows[4] * at[2]);
    out[2][i] = static_cast<Real>(rows[5] * at[2]);
  }
}

}  // namespace

void make_local(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
                std::size_t particles, const TileBoxes& boxes, std::size_t group,
                std::vector<double> (&out)[3]) {
  convert(lattice, xyz, particles, boxes, group, out);
}

void make_local(const FixedLattice& lattice, const std::int32_t* const (&xyz)[3],
                std::size_t particles, const TileBoxes& boxes, std::size_t group,
                std::vector<float> (&out)[3]) {
  convert(lattice, xyz, particles, boxes, group, out);
}

}  // namespace starhist::cpu
