#include "codelets/core/geometry/overlaid_particles.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codelets/core/base/vec3.hh"
#include "codelets/core/geometry/shortest_displacement.hh"

namespace starhist {
namespace {

constexpr double most_filled = 1.5;  // a fluid whose molecules are whole fills less
constexpr std::size_t sample = 100;  // particles compared with all others

/// Length that uniformly distributed particles with the same variance fill along a unit
/// vector.
double filled_length(const std::vector<Vec3>& positions, Vec3 unit) {
  const auto count = static_cast<double>(positions.size());
  double mean = 0.0;
  for (const Vec3 p : positions) {
    mean += dot(p, unit) / count;
  }
  double variance = 0.0;
  for (const Vec3 p : positions) {
    variance += (dot(p, unit) - mean) * (dot(p, unit) - mean) / count;
  }
  return std::sqrt(12.0 * variance);
}

/// Sets the smallest distances of a sample.
void measure_nearest(const Box& box, const std::vector<Vec3>& positions,
                     OverlaidParticles& found) {
  double r2 = std::numeric_limits<double>::infinity();
  double in_box = r2;
  const std::size_t step = (positions.size() - 1) / sample + 1;
  for (std::size_t i = 0; i < positions.size(); i += step) {
    for (std::size_t k = 0; k < positions.size(); ++k) {
      if (k != i) {
        const Vec3 apart = positions[i] - positions[k];
        const Vec3 image =
            shortest_displacement(box.minimum_image(), positions[i], positions[k]);
        r2 = std::min(r2, dot(apart, apart));
        in_box = std::min(in_box, dot(image, image));
      }
    }
  }
  found.nearest = std::sqrt(r2);
  found.nearest_in_box = std::sqrt(in_box);
}

}  // namespace

std::optional<OverlaidParticles> overlaid_particles(
    const Box& box, const std::vector<std::vector<double>>& positions) {
  if (box.periodic_axis_count() == 0) {
    return std::nullopt;
  }
  std::vector<Vec3> all;
  for (const std::vector<double>& species : positions) {
    for (std::size_t k = 0; k + 2 < species.size(); k += 3) {
      all.push_back({species[k], species[k + 1], species[k + 2]});
    }
  }
  OverlaidParticles found;
  double edge_ratio = most_filled;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edge = length(box.edges()[axis]);
    if (!box.periodic()[axis] || !(edge > 0.0) || all.empty()) {
      continue;
    }
    const double extent = filled_length(all, (1.0 / edge) * box.edges()[axis]);
    if (extent > edge_ratio * edge) {
      edge_ratio = extent / edge;
      found.axis = axis;
      found.extent = extent;
    }
  }
  if (found.extent == 0.0) {
    return std::nullopt;
  }
  measure_nearest(box, all, found);
  const double spacing = box.has_volume() && !box.is_planar()
                             ? std::cbrt(box.volume() / static_cast<double>(all.size()))
                             : std::numeric_limits<double>::infinity();
  const bool overlaid = found.nearest_in_box < 0.7 * found.nearest &&
                        found.nearest_in_box < 0.3 * spacing;
  return overlaid ? std::optional(found) : std::nullopt;
}

}  // namespace starhist
