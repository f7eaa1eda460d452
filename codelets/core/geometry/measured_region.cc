#include "codelets/core/geometry/measured_region.hh"

#include <algorithm>
#include <array>
#include <cmath>

namespace starhist {
namespace {

/// The part of v perpendicular to the unit vector.
Vec3 across(Vec3 v, Vec3 unit) {
  return v - dot(v, unit) * unit;
}

/// Removes the directions along which the particles of a region are unbounded: the part
/// of a slab's vectors along its normal, of a cylinder's perpendicular to its axis.
class BoundedPart {
 public:
  BoundedPart(Region::Shape shape, const Box& box)
      : is_slab_(shape == Region::Shape::slab) {
    const std::vector<Vec3> edges = periodic_edges(box);
    const Vec3 along = is_slab_ ? cross(edges.at(0), edges.at(1)) : edges.at(0);
    unit_ = (1.0 / length(along)) * along;
  }
  Vec3 operator()(Vec3 v) const {
    return is_slab_ ? dot(v, unit_) * unit_ : across(v, unit_);
  }

 private:
  bool is_slab_;
  Vec3 unit_{};  ///< normal of the slab, or axis of the cylinder
};

/// Calls use(position) for each particle.
template <class Use>
void for_each(const std::vector<std::vector<double>>& positions, const Use& use) {
  for (const std::vector<double>& own : positions) {
    for (std::size_t k = 0; k + 2 < own.size(); k += 3) {
      use(Vec3{own[k], own[k + 1], own[k + 2]});
    }
  }
}

/// Number of particles; 1 without any.
double number_of(const std::vector<std::vector<double>>& positions) {
  double count = 0.0;
  for_each(positions, [&](Vec3) { ++count; });
  return std::max(count, 1.0);
}

/// Mean of part(position) over the particles.
template <class Part>
Vec3 mean_of(const std::vector<std::vector<double>>& positions, const Part& part) {
  Vec3 sum{};
  for_each(positions, [&](Vec3 v) { sum = sum + part(v); });
  return (1.0 / number_of(positions)) * sum;
}

/// Mean square distance of the particles from their mean, of the bounded parts.
double mean_square(const std::vector<std::vector<double>>& positions,
                   const BoundedPart& bounded) {
  const Vec3 mean = mean_of(positions, bounded);
  double sum = 0.0;
  for_each(positions, [&](Vec3 v) {
    const Vec3 d = bounded(v) - mean;
    sum += dot(d, d);
  });
  return sum / number_of(positions);
}

/// Determinant of the covariance matrix of the positions.
double covariance_determinant(const std::vector<std::vector<double>>& positions) {
  const Vec3 mean = mean_of(positions, [](Vec3 v) { return v; });
  std::array<Vec3, 3> rows{};
  for_each(positions, [&](Vec3 v) {
    const Vec3 d = v - mean;
    rows = {rows[0] + d.x * d, rows[1] + d.y * d, rows[2] + d.z * d};
  });
  const double count = number_of(positions);
  return dot(rows[0], cross(rows[1], rows[2])) / (count * count * count);
}

}  // namespace

double measured_extent(Region::Shape shape, const Box& box,
                       const std::vector<std::vector<double>>& positions) {
  const double square = mean_square(positions, BoundedPart(shape, box));
  return std::sqrt((shape == Region::Shape::slab ? 12.0 : 2.0) * square);
}

double measured_volume(const Box& box,
                       const std::vector<std::vector<double>>& positions) {
  if (box.periodic_axis_count() > 0) {
    const Region::Shape shape =
        box.periodic_axis_count() == 2 ? Region::Shape::slab : Region::Shape::cylinder;
    const double extent = measured_extent(shape, box, positions);
    return extent > 0.0 ? region_volume({shape, extent}, box) : 0.0;
  }
  return std::sqrt(
      std::max(0.0, 12.0 * 12.0 * 12.0 * covariance_determinant(positions)));
}

double open_edge(Region::Shape shape, const Box& box) {
  const BoundedPart bounded(shape, box);
  double edge = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!box.periodic()[axis]) {
      edge = std::max(edge, length(bounded(box.edges()[axis])));
    }
  }
  return edge;
}

}  // namespace starhist
