#include "codelets/core/geometry/measured_region.hh"

#include <algorithm>
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

/// Mean square distance of the particles from their mean, of the bounded parts.
double mean_square(const std::vector<std::vector<double>>& positions,
                   const BoundedPart& bounded) {
  Vec3 mean{};
  double count = 0.0;
  const auto each = [&](const auto& use) {
    for (const std::vector<double>& own : positions) {
      for (std::size_t k = 0; k < own.size(); k += 3) {
        use(bounded({own[k], own[k + 1], own[k + 2]}));
      }
    }
  };
  each([&](Vec3 v) {
    mean = mean + v;
    ++count;
  });
  mean = (1.0 / std::max(count, 1.0)) * mean;
  double sum = 0.0;
  each([&](Vec3 v) { sum += dot(v - mean, v - mean); });
  return sum / std::max(count, 1.0);
}

}  // namespace

double measured_extent(Region::Shape shape, const Box& box,
                       const std::vector<std::vector<double>>& positions) {
  const double square = mean_square(positions, BoundedPart(shape, box));
  return std::sqrt((shape == Region::Shape::slab ? 12.0 : 2.0) * square);
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
