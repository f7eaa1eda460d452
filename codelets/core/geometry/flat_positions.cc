#include "codelets/core/geometry/flat_positions.hh"

#include <algorithm>
#include <limits>

namespace starhist {

std::array<double, 3> extent_of(const std::vector<std::vector<double>>& positions) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[3] = {infinity, infinity, infinity};
  double high[3] = {-infinity, -infinity, -infinity};
  for (const std::vector<double>& species : positions) {
    for (std::size_t k = 0; k < species.size(); ++k) {
      low[k % 3] = std::min(low[k % 3], species[k]);
      high[k % 3] = std::max(high[k % 3], species[k]);
    }
  }
  return low[0] > high[0]
             ? std::array{0.0, 0.0, 0.0}
             : std::array{high[0] - low[0], high[1] - low[1], high[2] - low[2]};
}

Plane two_dimensional(const Box& box,
                      const std::vector<std::vector<double>>& positions) {
  constexpr std::size_t fewest = 4;  // fewer may lie in a plane by chance
  std::size_t coordinates = 0;
  for (const std::vector<double>& species : positions) {
    coordinates += species.size();
  }
  if (coordinates < 3 * fewest) {
    return Plane::none;
  }
  const std::array<double, 3> extent = extent_of(positions);
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    const std::size_t normal = normal_axis(plane);
    if (extent[normal] != 0.0 || std::count(extent.begin(), extent.end(), 0.0) != 1) {
      continue;
    }
    std::array<bool, 3> periodic = box.periodic();
    periodic[normal] = true;
    if (periodic == std::array{true, true, true} &&
        Box::in_plane(box.edges(), plane).inscribed_radius() >
            (box.has_volume() ? box.inscribed_radius() : 0.0)) {
      return plane;
    }
  }
  return Plane::none;
}

}  // namespace starhist
