#include "codelets/core/geometry/small_box.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "codelets/core/base/vec3.hh"
#include "codelets/core/geometry/measured_region.hh"
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

/// The value that a tenth of the values are below.
double lowest_tenth(std::vector<double> values) {
  const auto tenth = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
  std::nth_element(values.begin(), tenth, values.end());
  return *tenth;
}

/// Sets the distances to nearest particles.
void measure_nearest(const Box& box, const std::vector<Vec3>& positions,
                     SmallBox& found) {
  std::vector<double> squares;
  std::vector<double> squares_in_box;
  const std::size_t step = (positions.size() - 1) / sample + 1;
  for (std::size_t i = 0; i < positions.size(); i += step) {
    double r2 = std::numeric_limits<double>::infinity();
    double in_box = r2;
    for (std::size_t k = 0; k < positions.size(); ++k) {
      if (k != i) {
        const Vec3 apart = positions[i] - positions[k];
        const Vec3 image =
            shortest_displacement(box.minimum_image(), positions[i], positions[k]);
        r2 = std::min(r2, dot(apart, apart));
        in_box = std::min(in_box, dot(image, image));
      }
    }
    squares.push_back(r2);
    squares_in_box.push_back(in_box);
  }
  found.nearest = std::sqrt(lowest_tenth(std::move(squares)));
  found.nearest_in_box = std::sqrt(lowest_tenth(std::move(squares_in_box)));
}

}  // namespace

std::optional<SmallBox> find_small_box(
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
  SmallBox found;
  double most = most_filled;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edge = length(box.edges()[axis]);
    if (!box.periodic()[axis] || !(edge > 0.0) || all.empty()) {
      continue;
    }
    const double extent = filled_length(all, (1.0 / edge) * box.edges()[axis]);
    if (extent > most * edge) {
      most = extent / edge;
      found.axis = axis;
      found.extent = extent;
    }
  }
  if (found.extent == 0.0) {
    return std::nullopt;
  }
  measure_nearest(box, all, found);
  // 0.29 for positions at random, more than 0.4 for atoms of molecules in a liquid.
  constexpr double keep_apart = 0.42;
  const double spacing =
      std::cbrt(measured_volume(Box(), positions) / static_cast<double>(all.size()));
  found.overlays = found.nearest > keep_apart * spacing &&
                   found.nearest_in_box < 0.7 * found.nearest;
  return found;
}

}  // namespace starhist
