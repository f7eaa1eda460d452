#include "codelets/core/geometry/region.hh"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

using std::numbers::pi;

double in_slab(double thickness, double r) {
  return r <= thickness ? pi * r * r * r * (4.0 / 3.0 - r / (2.0 * thickness))
                        : pi * thickness * (r * r - thickness * thickness / 6.0);
}

/// Overlap of two discs of one radius, divided by their area. x: distance of their
/// centres in diameters, [0, 1].
double disc_overlap(double x) {
  return 2.0 / pi * (std::acos(x) - x * std::sqrt((1.0 - x) * (1.0 + x)));
}

/// Tanh-sinh quadrature over t, where s = r sin t: it is exact to rounding also where
/// the integrand's derivatives are infinite, at its ends.
double in_cylinder(double radius, double r) {
  const double ratio = 0.5 * r / radius;
  const double end = ratio > 1.0 ? std::asin(1.0 / ratio) : 0.5 * pi;
  constexpr double step = 1.0 / 32.0;
  constexpr int steps = 104;  // further weights are below 1e-16
  double sum = 0.0;
  for (int k = -steps; k <= steps; ++k) {
    const double u = 0.5 * pi * std::sinh(k * step);
    const double t = end / (1.0 + std::exp(-2.0 * u));
    const double weight =
        0.25 * pi * end * step * std::cosh(k * step) / (std::cosh(u) * std::cosh(u));
    const double sine = std::sin(t);
    const double cosine = std::cos(t);
    sum += weight * sine * cosine * cosine * disc_overlap(std::min(ratio * sine, 1.0));
  }
  return 4.0 * pi * r * r * r * sum;
}

}  // namespace

std::vector<Vec3> periodic_edges(const Box& box) {
  std::vector<Vec3> edges;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.periodic()[axis]) {
      edges.push_back(box.edges()[axis]);
    }
  }
  return edges;
}

std::string to_string(Region::Shape shape) {
  switch (shape) {
    case Region::Shape::box:
      return "box";
    case Region::Shape::volume:
      return "volume";
    case Region::Shape::slab:
      return "slab";
    case Region::Shape::cylinder:
      return "cylinder";
  }
  throw InternalError("unknown shape of a region");
}

Region::Shape parse_shape(const std::string& name) {
  using enum Region::Shape;
  for (const Region::Shape shape : {box, volume, slab, cylinder}) {
    if (to_string(shape) == name) {
      return shape;
    }
  }
  throw InputError("'" + name + "' is not a geometry: give slab or cylinder");
}

std::string region_text(const Region& region) {
  switch (region.shape) {
    case Region::Shape::box:
      return "the volume of the box";
    case Region::Shape::volume:
      return "the volume " + number_text(region.size);
    case Region::Shape::slab:
      return "a slab of thickness " + number_text(region.size);
    case Region::Shape::cylinder:
      return "a cylinder of radius " + number_text(region.size);
  }
  throw InternalError("unknown shape of a region");
}

int size_dimension(const Region& region) {
  return region.shape == Region::Shape::volume ? 3 : 1;
}

std::string region_problem(const Region& region, const Box& box) {
  const int periodic = box.periodic_axis_count();
  switch (region.shape) {
    case Region::Shape::box:
      return "";
    case Region::Shape::volume:
      return box.has_volume() ? "its box defines a volume" : "";
    case Region::Shape::slab:
      return periodic == 2 ? "" : "a slab is periodic along two axes of its box";
    case Region::Shape::cylinder:
      return periodic == 1 ? "" : "a cylinder is periodic along one axis of its box";
  }
  throw InternalError("unknown shape of a region");
}

double region_volume(const Region& region, const Box& box) {
  if (region.shape == Region::Shape::box) {
    return box.volume();
  }
  if (!region_problem(region, box).empty()) {
    return 0.0;
  }
  const std::vector<Vec3> edges = periodic_edges(box);
  switch (region.shape) {
    case Region::Shape::slab:
      return length(cross(edges[0], edges[1])) * region.size;
    case Region::Shape::cylinder:
      return length(edges[0]) * pi * region.size * region.size;
    default:
      return region.size;
  }
}

double mean_ball_volume(const Region& region, double r) {
  if (!(r > 0.0)) {
    return 0.0;
  }
  switch (region.shape) {
    case Region::Shape::slab:
      return in_slab(region.size, r);
    case Region::Shape::cylinder:
      return in_cylinder(region.size, r);
    default:
      throw InternalError("the ideal gas of this region is unbounded");
  }
}

}  // namespace starhist
