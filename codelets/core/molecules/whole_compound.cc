#include "codelets/core/molecules/whole_compound.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

/// Smaller compounds are joined without cells.
constexpr std::size_t fewest_for_cells = 50;

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
    const Box& box, const std::vector<Vec3>& positions, std::size_t needed) {
  const std::size_t count = positions.size();
  needed = std::min(needed, count);
  const double near = 0.5 * box.inscribed_radius();
  bool all_near = true;
  displacements_.assign(count, Vec3());
  for (std::size_t i = 1; i < count; ++i) {
    displacements_[i] =
        minimum_displacement(box.minimum_image(), positions[i], positions[0]);
    all_near = all_near && dot(displacements_[i], displacements_[i]) < near * near;
  }
  if (all_near) {
    return displacements_;
  }
  // Half the last cut-off, because compounds differ.
  const double most = box.inscribed_radius();
  double cutoff = cutoff_ > 0.0 ? 0.5 * cutoff_ : most / 16.0;
  while (count >= fewest_for_cells && cutoff < most) {
    if (grow_tree(box, positions, cutoff, needed)) {
      cutoff_ = cutoff;
      return displacements_;
    }
    cutoff *= 2.0;
  }
  grow_tree(box, positions, std::numeric_limits<double>::infinity(), needed);
  return displacements_;
}

void WholeCompound::fill_cells(const MinimumImage& image,
                               const std::vector<Vec3>& positions, double cutoff) {
  const double most = std::ceil(std::cbrt(static_cast<double>(positions.size())));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double width = 1.0 / std::sqrt(dot(image.dual[axis], image.dual[axis]));
    cells_[axis] = std::isfinite(width) && std::isfinite(cutoff)
                       ? static_cast<std::size_t>(
                             std::clamp(std::floor(width / cutoff), 1.0, most))
                       : 1;
  }
  members_.resize(cells_[0] * cells_[1] * cells_[2]);
  for (auto& members : members_) {
    members.clear();
  }
  at_.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double fraction = dot(positions[i], image.dual[axis]);
      const auto cell = static_cast<std::size_t>((fraction - std::floor(fraction)) *
                                                 static_cast<double>(cells_[axis]));
      at_[i][axis] = std::min(cell, cells_[axis] - 1);
    }
    members_[(at_[i][0] * cells_[1] + at_[i][1]) * cells_[2] + at_[i][2]].push_back(i);
  }
}

void WholeCompound::find_neighbours(std::size_t particle) {
  std::array<std::array<std::size_t, 3>, 3> along;  // cells along each axis
  std::array<std::size_t, 3> count;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t cells = cells_[axis];
    const std::size_t at = at_[particle][axis];
    along[axis] = {at, (at + 1) % cells, (at + cells - 1) % cells};
    count[axis] = std::min<std::size_t>(cells, 3);  // each cell once
  }
  neighbours_.clear();
  for (std::size_t a = 0; a < count[0]; ++a) {
    for (std::size_t b = 0; b < count[1]; ++b) {
      for (std::size_t c = 0; c < count[2]; ++c) {
        neighbours_.push_back((along[0][a] * cells_[1] + along[1][b]) * cells_[2] +
                              along[2][c]);
      }
    }
  }
}

bool WholeCompound::grow_tree(const Box& box, const std::vector<Vec3>& positions,
                              double cutoff, std::size_t needed) {
  using Entry = std::pair<double, std::size_t>;  // squared distance, particle
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
  const double most = box.inscribed_radius();
  fill_cells(box.minimum_image(), positions, cutoff);
  candidates_.assign(positions.size(),
                     {{}, std::numeric_limits<double>::infinity(), 0, false});
  displacements_.assign(positions.size(), Vec3());
  candidates_[0].r2 = 0.0;
  next.emplace(0.0, 0);
  std::size_t placed = 0;  // of the needed ones
  while (!next.empty() && placed < needed) {
    const auto [r2, particle] = next.top();
    next.pop();
    Candidate& chosen = candidates_[particle];
    if (chosen.placed) {
      continue;
    }
    if (!(r2 < most * most)) {
      throw InputError("its pieces are " + number_text(std::sqrt(r2)) +
                       " apart, which is more than half the shortest lattice vector (" +
                       number_text(most) +
                       "), so the images that belong together cannot be determined");
    }
    chosen.placed = true;
    placed += particle < needed ? 1 : 0;
    displacements_[particle] = displacements_[chosen.from] + chosen.step;
    find_neighbours(particle);
    for (const std::size_t cell : neighbours_) {
      for (const std::size_t i : members_[cell]) {
        Candidate& other = candidates_[i];
        if (other.placed) {
          continue;
        }
        const Vec3 step = minimum_displacement(box.minimum_image(), positions[i],
                                               positions[particle]);
        const double distance2 = dot(step, step);
        if (distance2 < other.r2 && distance2 < cutoff * cutoff) {
          other = {step, distance2, particle, false};
          next.emplace(distance2, i);
        }
      }
    }
  }
  return placed == needed;
}

Vec3 centre_of(Vec3 first, const std::vector<Vec3>& displacements,
               const std::vector<double>& weights) {
  STARHIST_EXPECT(weights.size() <= displacements.size(),
                  "each weight is of a particle of the compound");
  Vec3 sum;
  double weight = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum = sum + weights[i] * displacements[i];
    STARHIST_EXPECT(weights[i] >= 0.0, "weights must not be negative");
    weight += weights[i];
  }
  STARHIST_ENSURE(weight > 0.0, "weights must not be all zero");
  return first + (1.0 / weight) * sum;
}

}  // namespace starhist
