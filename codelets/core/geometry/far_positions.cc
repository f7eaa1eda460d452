#include "codelets/core/geometry/far_positions.hh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace starhist {
namespace {

double sum_of_absolutes(Vec3 v) {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

/// The largest allowed coordinate along an open axis.
double open_limit(const Box& box, double r_max) {
  return box.has_volume() ? std::numeric_limits<double>::infinity()
                          : farthest_position * r_max;
}

}  // namespace

bool all_near(double coordinate_bound, const Box& box, double r_max) {
  const Vec3(&dual)[3] = box.minimum_image().dual;
  // |p . dual| <= largest coordinate * sum |dual|.
  const double most_fraction =
      std::max({sum_of_absolutes(dual[0]), sum_of_absolutes(dual[1]),
                sum_of_absolutes(dual[2])}) *
      coordinate_bound;
  return most_fraction <= farthest_position &&
         coordinate_bound <= open_limit(box, r_max);
}

std::optional<std::size_t> find_far_position(const std::vector<double>& positions,
                                             const Box& box, double r_max) {
  const Vec3(&dual)[3] = box.minimum_image().dual;
  const double limit = open_limit(box, r_max);
  for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
    const Vec3 p{positions[k], positions[k + 1], positions[k + 2]};
    const auto far = [&](Vec3 axis) {
      return !(std::abs(dot(p, axis)) <= farthest_position);
    };
    if (far(dual[0]) || far(dual[1]) || far(dual[2]) ||
        std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > limit) {
      return k / 3;
    }
  }
  return std::nullopt;
}

}  // namespace starhist
