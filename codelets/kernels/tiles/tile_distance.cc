#include "codelets/kernels/tiles/tile_distance.hh"

#include <algorithm>
#include <cmath>

namespace starhist {
namespace {

/// Length that a wrapped coordinate of centre +-half has at least.
double gap(std::int32_t centre, std::uint64_t half) {
  const std::int64_t length = std::abs(std::int64_t{centre});
  return static_cast<double>(
      std::max<std::int64_t>(length - static_cast<std::int64_t>(half), 0));
}

std::int32_t wrapped_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) -
                                   static_cast<std::uint32_t>(b));
}

}  // namespace

TileDistance::TileDistance(const FixedLattice& lattice, const UniformBins& bins) {
  for (int k = 0; k < 6; ++k) {
    selling_[k] = 0x1p-64 * lattice.selling[k];
  }
  // The fixed point's own error, and that of the sum below.
  const double farthest = (1.0 + 1e-9) * bins.count +
                          2.0 * static_cast<double>(lattice.fast.error_abs) + 1e-3;
  out_of_range_r2_ = farthest * farthest;
}

bool TileDistance::out_of_range(const TileBoxes& boxes_a, std::size_t a,
                                const TileBoxes& boxes_b, std::size_t b) const {
  std::int32_t centre[3];
  std::uint64_t half[3];
  for (int k = 0; k < 3; ++k) {
    centre[k] = wrapped_difference(boxes_a.centre[k][a], boxes_b.centre[k][b]);
    half[k] = std::uint64_t{boxes_a.half[k][a]} + boxes_b.half[k][b];
  }
  double r2 = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double along = gap(centre[k], half[k]);
    r2 += selling_[k] * along * along;
  }
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 3; ++k) {
    const auto [i, j] = pairs[k];
    const double along =
        gap(wrapped_difference(centre[i], centre[j]), half[i] + half[j]);
    r2 += selling_[3 + k] * along * along;
  }
  return r2 > out_of_range_r2_;
}

}  // namespace starhist
