#include "codelets/core/geometry/lattice.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"

namespace starhist {
namespace {

/// Scalar products below this, relative to the lengths, come from rounding and count as
/// zero.
constexpr double orthogonal = 1e-14;

using Coefficients = std::array<double, 3>;  // integers, far below 2^53

Vec3 combine(const std::vector<Vec3>& vectors, const Coefficients& n) {
  Vec3 sum;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    sum = shifted(sum, -n[i], vectors[i]);
  }
  return sum;
}

bool is_orthogonal(Vec3 u, Vec3 v) {
  return std::abs(dot(u, v)) <= orthogonal * length(u) * length(v);
}

/// A superbase: vectors with sum zero, as integer combinations of the input.
struct Superbase {
  const std::vector<Vec3>& vectors;
  std::vector<Coefficients> n;

  explicit Superbase(const std::vector<Vec3>& input) : vectors(input) {
    Coefficients last{};
    for (std::size_t i = 0; i < input.size(); ++i) {
      Coefficients unit{};
      unit[i] = 1.0;
      last[i] = -1.0;
      n.push_back(unit);
    }
    n.push_back(last);
  }

  Vec3 member(std::size_t i) const { return combine(vectors, n[i]); }

  /// The pair with the largest positive product; {0, 0} without one.
  std::array<std::size_t, 2> sharpest_pair() const {
    std::array<std::size_t, 2> worst{0, 0};
    std::array<Vec3, 4> members;
    for (std::size_t i = 0; i < n.size(); ++i) {
      members[i] = member(i);
    }
    double most = 0.0;
    for (std::size_t i = 0; i < n.size(); ++i) {
      for (std::size_t j = i + 1; j < n.size(); ++j) {
        const double product = dot(members[i], members[j]);
        if (product > most &&
            product > orthogonal * length(members[i]) * length(members[j])) {
          most = product;
          worst = {i, j};
        }
      }
    }
    return worst;
  }

  /// Selling's step for b_i . b_j > 0: b_i changes sign, and is added to the members
  /// other than b_j (three dimensions) or twice to the only other one (two), which
  /// keeps the sum zero and shortens the sum of squares.
  void step(std::size_t i, std::size_t j) {
    const Coefficients turned = n[i];
    const double times = n.size() == 4 ? 1.0 : 2.0;
    for (std::size_t k = 0; k < n.size(); ++k) {
      for (std::size_t c = 0; c < 3; ++c) {
        if (k == i) {
          n[k][c] = -n[k][c];
        } else if (k != j) {
          n[k][c] += times * turned[c];
        }
      }
    }
  }
};

bool contains(unsigned set, std::size_t i) {
  return ((set >> i) & 1U) != 0U;
}

/// True if step 2 can never shorten by shifting along the members in `set`: that needs
/// two of the first three vectors, one inside and one outside, that are not orthogonal
/// to each other.
bool never_wins(const std::vector<Vec3>& edge, unsigned set) {
  for (std::size_t i = 0; i < edge.size(); ++i) {
    for (std::size_t j = 0; j < edge.size(); ++j) {
      if (contains(set, i) && !contains(set, j) && !is_orthogonal(edge[i], edge[j])) {
        return false;
      }
    }
  }
  return true;
}

/// True if a part of `set` never shortens. It is orthogonal to the rest, so the rest is
/// at least as good as `set`.
bool is_redundant(const std::vector<Vec3>& edge, unsigned set) {
  for (unsigned part = (set - 1) & set; part != 0; part = (part - 1) & set) {
    if (never_wins(edge, part)) {
      return true;
    }
  }
  return false;
}

/// The sum of the vectors in `set`.
Vec3 sum_of(const std::vector<Vec3>& vectors, unsigned set) {
  Vec3 sum;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    sum = contains(set, i) ? sum + vectors[i] : sum;
  }
  return sum;
}

}  // namespace

std::vector<Vec3> reduced_lattice(const std::vector<Vec3>& vectors) {
  if (vectors.size() < 2) {
    return vectors;
  }
  Superbase base(vectors);
  constexpr int most_steps = 10000;  // a skew of k edges takes about k steps
  int steps = 0;
  for (auto [i, j] = base.sharpest_pair(); i != j;) {
    base.step(i, j);
    if (++steps > most_steps) {
      throw InputError(
          "the box is too skewed to be reduced (give shorter edge vectors)");
    }
    const auto next = base.sharpest_pair();
    i = next[0];
    j = next[1];
  }
  std::vector<Vec3> members;
  for (std::size_t i = 0; i < base.n.size(); ++i) {
    members.push_back(base.member(i));
  }
  // Any member may be left out of the basis; without the longest, rounding is exact
  // up to the largest radius.
  auto longest = members.end() - 1;
  for (auto member = members.begin(); member != members.end(); ++member) {
    longest = dot(*member, *member) > dot(*longest, *longest) ? member : longest;
  }
  members.erase(longest);
  return members;
}

std::vector<Vec3> dual_lattice(const std::vector<Vec3>& vectors) {
  switch (vectors.size()) {
    case 0:
      return {};
    case 1:
      return {(1.0 / dot(vectors[0], vectors[0])) * vectors[0]};
    case 2: {
      const Vec3 normal = cross(vectors[0], vectors[1]);
      const double scale = 1.0 / dot(normal, normal);
      return {scale * cross(vectors[1], normal), scale * cross(normal, vectors[0])};
    }
    default: {
      const double scale = 1.0 / dot(vectors[0], cross(vectors[1], vectors[2]));
      return {scale * cross(vectors[1], vectors[2]),
              scale * cross(vectors[2], vectors[0]),
              scale * cross(vectors[0], vectors[1])};
    }
  }
}

MinimumImage make_minimum_image(const std::vector<Vec3>& vectors) {
  const auto edge = reduced_lattice(vectors);
  const auto dual = dual_lattice(edge);
  MinimumImage image;
  double smallest_width = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < edge.size(); ++i) {
    image.edge[i] = edge[i];
    image.dual[i] = dual[i];
    smallest_width = std::min(smallest_width, 1.0 / length(dual[i]));
  }
  constexpr double below_rounding = 1.0 - 1e-9;
  image.exact_rounding_r2 = 0.25 * smallest_width * smallest_width * below_rounding;
  for (unsigned set = 1; set < 1U << edge.size(); ++set) {
    if (!never_wins(edge, set) && !is_redundant(edge, set)) {
      image.facet[image.facet_count++] = sum_of(edge, set);
    }
  }
  return image;
}

double shortest_vector(const std::vector<Vec3>& reduced) {
  double shortest = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < 1U << reduced.size(); ++set) {
    shortest = std::min(shortest, length(sum_of(reduced, set)));
  }
  return shortest;
}

double covering_radius(const std::vector<Vec3>& reduced) {
  if (reduced.size() < 3) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0.0;
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    // The circumcentre x has the same distance from 0 and from v: x . v = |v|^2 / 2.
    const Vec3 v1 = reduced[order[0]];
    const Vec3 v2 = v1 + reduced[order[1]];
    const Vec3 v3 = v2 + reduced[order[2]];
    const auto dual = dual_lattice({v1, v2, v3});
    const Vec3 centre =
        0.5 * (dot(v1, v1) * dual[0] + dot(v2, v2) * dual[1] + dot(v3, v3) * dual[2]);
    largest = std::max(largest, length(centre));
  } while (std::next_permutation(order.begin(), order.end()));
  return largest;
}

double planar_covering_radius(const std::vector<Vec3>& reduced) {
  const Vec3 a = reduced.at(0);
  const Vec3 b = reduced.at(1);
  return 0.5 * length(a) * length(b) * length(a + b) / length(cross(a, b));
}

}  // namespace starhist
