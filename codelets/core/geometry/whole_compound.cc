#include "codelets/core/geometry/whole_compound.hh"

#include <cmath>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

/// The displacement a - b whose squared length minimum_distance2() returns.
Vec3 minimum_displacement(const MinimumImage& image, Vec3 a, Vec3 b) {
  const Vec3 d = nearest_integer_displacement(image, a, b);
  Vec3 shortest = d;
  for (int i = 0; i < image.facet_count; ++i) {
    const Vec3 other =
        shifted(d, with_sign(1.0, dot(d, image.facet[i])), image.facet[i]);
    if (dot(other, other) < dot(shortest, shortest)) {
      shortest = other;
    }
  }
  return shortest;
}

}  // namespace

const std::vector<Vec3>& WholeCompound::displacements(
    const Box& box, const std::vector<Vec3>& positions) {
  const std::size_t count = positions.size();
  const double near = 0.5 * box.inscribed_radius();
  bool all_near = true;
  displacements_.assign(count, Vec3());
  for (std::size_t i = 1; i < count; ++i) {
    displacements_[i] =
        minimum_displacement(box.minimum_image(), positions[i], positions[0]);
    all_near = all_near && dot(displacements_[i], displacements_[i]) < near * near;
  }
  if (!all_near) {
    grow_tree(box, positions);
  }
  return displacements_;
}

void WholeCompound::grow_tree(const Box& box, const std::vector<Vec3>& positions) {
  const std::size_t count = positions.size();
  const double most = box.inscribed_radius();
  candidates_.assign(count, Candidate());
  for (std::size_t i = 1; i < count; ++i) {
    candidates_[i].step = displacements_[i];
    candidates_[i].r2 = dot(displacements_[i], displacements_[i]);
  }
  for (std::size_t placed = 1; placed < count; ++placed) {
    std::size_t next = 0;
    for (std::size_t i = 1; i < count; ++i) {
      if (!candidates_[i].placed &&
          (next == 0 || candidates_[i].r2 < candidates_[next].r2)) {
        next = i;
      }
    }
    const Candidate chosen = candidates_[next];
    if (!(chosen.r2 < most * most)) {
      throw InputError("its pieces are " + number_text(std::sqrt(chosen.r2)) +
                       " apart, which is more than half the shortest lattice vector (" +
                       number_text(most) +
                       "), so the images that belong together cannot be determined");
    }
    candidates_[next].placed = true;
    displacements_[next] = displacements_[chosen.from] + chosen.step;
    for (std::size_t i = 1; i < count; ++i) {
      if (candidates_[i].placed) {
        continue;
      }
      const Vec3 step =
          minimum_displacement(box.minimum_image(), positions[i], positions[next]);
      const double r2 = dot(step, step);
      if (r2 < candidates_[i].r2) {
        candidates_[i] = {step, r2, next, false};
      }
    }
  }
}

Vec3 centre_of(Vec3 first, const std::vector<Vec3>& displacements,
               const std::vector<double>& weights) {
  STARHIST_EXPECT(weights.size() == displacements.size(),
                  "each particle of a compound has a weight");
  Vec3 sum;
  double weight = 0.0;
  for (std::size_t i = 0; i < displacements.size(); ++i) {
    sum = sum + weights[i] * displacements[i];
    STARHIST_EXPECT(weights[i] >= 0.0, "weights must not be negative");
    weight += weights[i];
  }
  STARHIST_ENSURE(weight > 0.0, "weights must not be all zero");
  return first + (1.0 / weight) * sum;
}

}  // namespace starhist
