// Random boxes and displacements, as difficult as possible: distances near bin edges,
// at all powers of ten, of images that nearly tie with others.
#pragma once

#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/bin_position.hh"
#include "tests/support/pair_problem.hh"

namespace starhist::testing {

/// Any valid box: cubic to general, periodic along 0 to 3 axes, long or skewed.
inline Box random_box(Random& random) {
  for (;;) {
    const double aspect = random.chance(0.7) ? 2.0 : 50.0;
    std::array<Vec3, 3> edges{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    if (random.chance(0.7)) {
      for (Vec3& edge : edges) {
        edge = random.vector(1.0);
        edge = (random.log_uniform(1.0, aspect) / length(edge)) * edge;
      }
    } else if (random.chance(0.5)) {
      for (Vec3& edge : edges) {
        edge = random.log_uniform(1.0, aspect) * edge;
      }
    }
    if (random.chance(0.3)) {
      const auto i = random.below(3);
      edges[i] = edges[i] + std::floor(random.uniform(-5, 6)) * edges[(i + 1) % 3];
    }
    std::array<bool, 3> periodic{true, true, true};
    for (bool& axis : periodic) {
      axis = random.chance(0.85);
    }
    const double unit = random.chance(0.5) ? 1.0 : random.log_uniform(1e-3, 1e3);
    try {
      return Box({unit * edges[0], unit * edges[1], unit * edges[2]}, periodic);
    } catch (const InputError&) {  // flat: draw again
    }
  }
}

/// A number of either sign, of any magnitude from `least` to `most`, or zero.
inline double tiny(Random& random, double least, double most) {
  return random.chance(0.05)
             ? 0.0
             : (random.chance(0.5) ? 1.0 : -1.0) * random.log_uniform(least, most);
}

/// A displacement of length `r` that ends near the plane half way to a lattice vector,
/// where two images nearly tie, and if possible no third one is nearer.
inline Vec3 towards_facet(Random& random, const MinimumImage& image, double r) {
  Vec3 d;
  for (int attempt = 0; attempt < 10; ++attempt) {
    Vec3 v = image.facet[random.below(6)];
    v = v == Vec3{} ? image.edge[random.below(3)] : v;
    Vec3 across = random.vector(1.0);
    if (v == Vec3{}) {
      return (r / length(across)) * across;
    }
    const double half = 0.5 + tiny(random, random.chance(0.3) ? 1e-17 : 1e-9, 1e-2);
    const double rest = r * r - half * half * dot(v, v);
    if (rest <= 0.0) {
      return (r / length(v)) * v;
    }
    across = shifted(across, dot(across, v) / dot(v, v), v);
    d = half * v + (std::sqrt(rest) / length(across)) * across;
    if (std::sqrt(minimum_distance2(image, d, {})) > r * (1.0 - 1e-4)) {
      break;
    }
  }
  return d;
}

/// One particle, and others around it: the lengths of the displacements are bin edges,
/// within a few roundings of float32 or of double.
inline PairProblem hard_problem(Random& random) {
  PairProblem problem;
  problem.box = random_box(random);
  problem.like = false;
  const MinimumImage& image = problem.box.minimum_image();
  const double extent = problem.box.has_volume()
                            ? problem.box.covering_radius()
                            : length(problem.box.edges()[0]) + random.uniform(0.0, 2.0);
  const double r_max = random.chance(0.7)
                           ? extent * random.uniform(0.4, 1.1)
                           : 0.9999 * std::min(problem.box.rounding_radius(), extent);
  const auto bin_count = static_cast<std::uint32_t>(random.log_uniform(1.0, 60'000.0));
  problem.bins = make_bins(r_max, bin_count);
  const Vec3 centre = random.vector(random.chance(0.8) ? 1.0 : 1e4);
  append(problem.first, centre);
  for (int j = 0; j < 200; ++j) {
    const auto k = static_cast<std::uint32_t>(random.below(bin_count + 1ULL));
    const double beside = random.chance(0.8) ? tiny(random, 0.1, 100.0) * 0x1p-24 * k
                                             : tiny(random, 1e-17, 0.3);
    // Near the contract's edge, or near the unshifted one.
    const double shift = random.chance(0.7) ? edge_shift : 0.0;
    const double r =
        std::abs(problem.bins.edge(k) + (beside - shift) * problem.bins.width());
    Vec3 d = towards_facet(random, image, r);
    for (const Vec3 edge : image.edge) {
      d = d + (static_cast<double>(random.below(3)) - 1.0) * edge;
    }
    append(problem.second, centre + d);
  }
  return problem;
}

/// A hard problem for particles in spatial order, at two positions near a tie of
/// images: clusters so small that their images are known.
inline PairProblem hard_clusters(Random& random) {
  PairProblem problem = hard_problem(random);
  const MinimumImage& image = problem.box.minimum_image();
  const UniformBins& bins = problem.bins;
  const Vec3 centre = kernels::PositionSpan{problem.first.data(), 1}[0];
  const Vec3 middle =
      towards_facet(random, image, bins.r_max * random.uniform(0.5, 1.0));
  const double spread = length(middle) * random.log_uniform(1e-6, 0.3);
  problem.second.clear();
  for (int j = 0; j < 200; ++j) {
    Vec3 d = middle + random.uniform(-spread, spread) * random.vector(1.0);
    const double r = std::sqrt(minimum_distance2(image, d, {}));
    const double edge = std::round(r * bins.inverse_width) * bins.width();
    const double beside = random.chance(0.8)
                              ? tiny(random, 0.01, 100.0) * 0x1p-24 * edge
                              : tiny(random, 1e-17, 0.3) * bins.width();
    const double shift = random.chance(0.7) ? edge_shift * bins.width() : 0.0;
    d = ((edge + beside - shift) / r) * d;
    for (const Vec3 box_edge : image.edge) {
      d = d + (static_cast<double>(random.below(3)) - 1.0) * box_edge;
    }
    append(problem.second, centre + d);
  }
  problem.cluster();
  return problem;
}

}  // namespace starhist::testing
