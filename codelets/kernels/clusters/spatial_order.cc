#include "codelets/kernels/clusters/spatial_order.hh"

#include <algorithm>
#include <limits>

#include <boost/sort/spreadsort/integer_sort.hpp>

#include "codelets/kernels/countable.hh"

namespace starhist::kernels {

std::vector<std::uint32_t> spatial_order(const PositionSpan& positions,
                                         const MinimumImage& image,
                                         const Bounds& bounds, ClusterAxes clusters) {
  STARHIST_EXPECT(positions.count <= std::numeric_limits<std::uint32_t>::max(),
                  "particles have 32-bit numbers");
  STARHIST_EXPECT(are_finite(positions), "positions must be finite");
  const SpatialGrid grid = make_spatial_grid(
      image, bounds, positions.count,
      density_contrast_of(positions, image, bounds, clusters), clusters);
  std::vector<std::uint64_t> keys(positions.count);  // number on the path, particle
  for (std::size_t i = 0; i < positions.count; ++i) {
    keys[i] = std::uint64_t{grid.place(positions[i])} << 32U | i;
  }
  boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(positions.count);
  for (std::size_t i = 0; i < positions.count; ++i) {
    order[i] = static_cast<std::uint32_t>(keys[i]);
  }
  return order;
}

void copy_in_spatial_order(const PositionSpan& positions, const MinimumImage& image,
                           ClusterAxes clusters, double* out) {
  Bounds bounds;
  bounds.add(positions, 0, positions.count);
  for (const std::uint32_t i : spatial_order(positions, image, bounds, clusters)) {
    out = std::copy_n(positions.xyz + 3 * std::size_t{i}, 3, out);
  }
}

}  // namespace starhist::kernels
