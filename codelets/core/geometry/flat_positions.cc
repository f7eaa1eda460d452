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

namespace {

/// True along axes on which all particles have the same finite coordinate. In most
/// frames a few particles already differ along every axis, which ends the loop.
std::array<bool, 3> flat_axes(const std::vector<std::vector<double>>& positions) {
  std::array<bool, 3> flat = {true, true, true};
  const double* first = nullptr;
  for (const std::vector<double>& species : positions) {
    for (std::size_t k = 0; k + 2 < species.size(); k += 3) {
      const double* const position = species.data() + k;
      first = first == nullptr ? position : first;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        flat[axis] = flat[axis] && position[axis] == first[axis];
      }
      if (flat == std::array{false, false, false}) {
        return flat;
      }
    }
  }
  return flat;
}

/// Fewer than four particles may lie in a plane by chance.
bool are_few(const std::vector<std::vector<double>>& positions) {
  std::size_t coordinates = 0;
  for (const std::vector<double>& species : positions) {
    coordinates += species.size();
  }
  return coordinates < 12;
}

}  // namespace

Plane two_dimensional(const Box& box,
                      const std::vector<std::vector<double>>& positions) {
  if (are_few(positions)) {
    return Plane::none;
  }
  const std::array<bool, 3> flat = flat_axes(positions);
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    const std::size_t normal = normal_axis(plane);
    if (!flat[normal] || std::count(flat.begin(), flat.end(), true) != 1) {
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

Plane plane_seen_edge_on(Plane seen,
                         const std::vector<std::vector<double>>& positions) {
  const std::array<bool, 3> flat = flat_axes(positions);
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    if (plane != seen && flat[normal_axis(plane)] &&
        std::count(flat.begin(), flat.end(), true) == 2 && !are_few(positions)) {
      return plane;
    }
  }
  return Plane::none;
}

std::vector<std::vector<double>> heights_of(
    Plane plane, const std::vector<std::vector<double>>& positions) {
  std::vector<std::vector<double>> heights(positions.size());
  for (std::size_t s = 0; s < positions.size(); ++s) {
    heights[s].reserve(positions[s].size() / 3);
    for (std::size_t k = normal_axis(plane); k < positions[s].size(); k += 3) {
      heights[s].push_back(positions[s][k]);
    }
  }
  return heights;
}

void project(Plane plane, std::vector<std::vector<double>>& positions) {
  for (std::vector<double>& of_species : positions) {
    for (std::size_t k = normal_axis(plane); k < of_species.size(); k += 3) {
      of_species[k] = 0.0;
    }
  }
}

}  // namespace starhist
