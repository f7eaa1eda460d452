#include "codelets/core/geometry/plane_cell.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"

namespace starhist {
namespace {

double& component(Vec3& v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Vec3 projected(Vec3 v, std::size_t normal) {
  component(v, normal) = 0.0;
  return v;
}

std::size_t first_axis(Plane plane) {
  return normal_axis(plane) == 0 ? 1 : 0;
}

std::size_t second_axis(Plane plane) {
  return normal_axis(plane) == 2 ? 1 : 2;
}

}  // namespace

bool spans(const Box& box, Plane plane) {
  return box.periodic()[first_axis(plane)] && box.periodic()[second_axis(plane)];
}

std::optional<Vec3> leaning_edge(const Box& box, Plane plane) {
  const std::size_t normal = normal_axis(plane);
  if (!box.periodic()[normal]) {
    return std::nullopt;
  }
  const Vec3 a = projected(box.edges()[first_axis(plane)], normal);
  const Vec3 b = projected(box.edges()[second_axis(plane)], normal);
  const Vec3 c = projected(box.edges()[normal], normal);
  const Vec3 area = cross(a, b);
  const double area2 = dot(area, area);
  const double along_a = dot(cross(c, b), area) / area2;
  const double along_b = dot(cross(a, c), area) / area2;
  const Vec3 rest = c - std::round(along_a) * a - std::round(along_b) * b;
  if (dot(rest, rest) <= edge_rounding * edge_rounding * std::sqrt(area2)) {
    return std::nullopt;
  }
  return c;
}

double normal_period(const Box& box, Plane plane) {
  const std::size_t normal = normal_axis(plane);
  Vec3 third = box.edges()[normal];
  return box.periodic()[normal] ? std::abs(component(third, normal)) : 0.0;
}

double rising_edge(const Box& box, Plane plane) {
  const double period = normal_period(box, plane);
  for (const std::size_t axis : {first_axis(plane), second_axis(plane)}) {
    Vec3 edge = box.edges()[axis];
    const double rise = component(edge, normal_axis(plane));
    if (period > 0.0 && box.periodic()[axis] &&
        !(std::abs(rise / period - std::round(rise / period)) <= edge_rounding)) {
      return rise;
    }
  }
  return 0.0;
}

/// The superbase a, b, c = -(a + b) is obtuse. So the triangle with these edges is
/// acute, all corners of the cell have the distance of its circumcentre, and half the
/// edge perpendicular to a is |a|/2 times the cotangent of the angle between b and c.
PlaneCell::PlaneCell(const Box& box) {
  if (!box.is_planar()) {
    throw InternalError("the plane's cell of a box that is not planar");
  }
  std::array<Vec3, 3> base{};
  std::size_t members = 0;
  for (const Vec3& edge : box.minimum_image().edge) {
    if (edge != Vec3{}) {
      base.at(members++) = edge;
    }
  }
  base[2] = -1.0 * (base[0] + base[1]);
  const double area = length(cross(base[0], base[1]));
  for (std::size_t k = 0; k < 3; ++k) {
    const double across = -dot(base[(k + 1) % 3], base[(k + 2) % 3]);
    triangles_[k] = {0.5 * length(base[k]), std::atan2(std::max(across, 0.0), area)};
  }
}

double PlaneCell::disc_area(double r) const {
  if (!(r > 0.0)) {
    return 0.0;
  }
  double quarter = 0.0;
  for (const auto& [height, angle] : triangles_) {
    // The edge cuts the disc up to this angle.
    const double cut = r > height ? std::min(std::acos(height / r), angle) : 0.0;
    quarter += 0.5 * height * height * std::tan(cut) + 0.5 * r * r * (angle - cut);
  }
  return 4.0 * quarter;
}

}  // namespace starhist
