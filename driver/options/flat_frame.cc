#include "driver/options/flat_frame.hh"

#include <algorithm>
#include <limits>
#include <vector>

namespace starhist::driver {

std::array<double, 3> extent_of(const Frame& frame) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[3] = {infinity, infinity, infinity};
  double high[3] = {-infinity, -infinity, -infinity};
  for (const std::vector<double>& species : frame.positions) {
    for (std::size_t k = 0; k < species.size(); ++k) {
      low[k % 3] = std::min(low[k % 3], species[k]);
      high[k % 3] = std::max(high[k % 3], species[k]);
    }
  }
  return low[0] > high[0]
             ? std::array{0.0, 0.0, 0.0}
             : std::array{high[0] - low[0], high[1] - low[1], high[2] - low[2]};
}

Plane two_dimensional(const Frame& frame) {
  constexpr std::uint64_t fewest = 4;  // fewer may lie in a plane by chance
  if (frame.particle_count() < fewest) {
    return Plane::none;
  }
  const std::array<double, 3> extent = extent_of(frame);
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    const std::size_t normal = normal_axis(plane);
    if (extent[normal] != 0.0 || std::count(extent.begin(), extent.end(), 0.0) != 1) {
      continue;
    }
    std::array<bool, 3> periodic = frame.box.periodic();
    periodic[normal] = true;
    if (periodic == std::array{true, true, true} &&
        Box::in_plane(frame.box.edges(), plane).inscribed_radius() >
            (frame.box.has_volume() ? frame.box.inscribed_radius() : 0.0)) {
      return plane;
    }
  }
  return Plane::none;
}

}  // namespace starhist::driver
