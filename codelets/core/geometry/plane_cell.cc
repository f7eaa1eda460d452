#include "codelets/core/geometry/plane_cell.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"

namespace starhist {

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
