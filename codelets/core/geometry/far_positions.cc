#include "codelets/core/geometry/far_positions.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace starhist {
namespace {

/// The largest absolute coordinate. Twelve independent maxima, which the compiler
/// vectorizes.
double largest_coordinate(const std::vector<double>& positions) {
  constexpr std::size_t lanes = 12;
  double most[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= positions.size(); k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = std::abs(positions[k + lane]);
      most[lane] = x > most[lane] ? x : most[lane];
    }
  }
  for (; k < positions.size(); ++k) {
    most[0] = std::max(most[0], std::abs(positions[k]));
  }
  return *std::max_element(std::begin(most), std::end(most));
}

double sum_of_absolutes(Vec3 v) {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

}  // namespace

std::optional<std::size_t> find_far_position(const std::vector<double>& positions,
                                             const Box& box, double r_max) {
  const Vec3(&dual)[3] = box.minimum_image().dual;
  const double open_limit = box.has_volume() ? std::numeric_limits<double>::infinity()
                                             : farthest_position * r_max;
  // |p . dual| <= largest coordinate * sum |dual|, so that most frames need one pass.
  const double largest = largest_coordinate(positions);
  const double most_fraction =
      std::max({sum_of_absolutes(dual[0]), sum_of_absolutes(dual[1]),
                sum_of_absolutes(dual[2])}) *
      largest;
  if (most_fraction <= farthest_position && largest <= open_limit) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
    const Vec3 p{positions[k], positions[k + 1], positions[k + 2]};
    const auto far = [&](Vec3 axis) {
      return !(std::abs(dot(p, axis)) <= farthest_position);
    };
    if (far(dual[0]) || far(dual[1]) || far(dual[2]) ||
        std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > open_limit) {
      return k / 3;
    }
  }
  return std::nullopt;
}

}  // namespace starhist
