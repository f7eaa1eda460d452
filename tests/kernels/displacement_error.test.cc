// Difference between displacements combined from clusters and the defining ones.
#include "codelets/kernels/error_bounds/displacement_error.hh"

#include <algorithm>
#include <cmath>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

/// Eleven bits more than a double: sufficient to be exact here.
struct Exact {
  long double x, y, z;

  explicit Exact(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
  Exact plus(Exact other, long double sign) const {
    Exact sum = *this;
    sum.x += sign * other.x;
    sum.y += sign * other.y;
    sum.z += sign * other.z;
    return sum;
  }
  long double length() const { return std::sqrt(x * x + y * y + z * z); }
};

/// The displacement used by pair_bin().
Vec3 defining_displacement(const MinimumImage& image, Vec3 a, Vec3 b) {
  const Vec3 rounded = nearest_integer_displacement(image, a, b);
  Vec3 best = rounded;
  for (const Vec3 facet : image.facet) {
    const Vec3 d = shifted(rounded, with_sign(1.0, dot(rounded, facet)), facet);
    best = dot(d, d) < dot(best, best) ? d : best;
  }
  return best;
}

/// A cluster of two particles.
struct Cluster {
  Vec3 offset;
  Vec3 centre;
  Vec3 local;  ///< of p

  Cluster(const MinimumImage& image, Vec3 first, Vec3 p) {
    const Vec3 d = nearest_integer_displacement(image, p, first);
    const auto half = [](double v) { return 0.5 * static_cast<float>(v); };
    offset = {half(d.x), half(d.y), half(d.z)};
    centre = first + offset;
    local = d - offset;
  }
};

/// The distance of p and q from clusters that start with others: the shortest over
/// lattice vectors of up to two steps.
long double from_clusters(const MinimumImage& image, const Cluster& a,
                          const Cluster& b) {
  const Vec3 centres = defining_displacement(image, a.centre, b.centre);
  long double least = HUGE_VALL;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      for (int k = -2; k <= 2; ++k) {
        Vec3 v;
        v = v + static_cast<double>(i) * image.edge[0];
        v = v + static_cast<double>(j) * image.edge[1];
        v = v + static_cast<double>(k) * image.edge[2];
        // Not straight to the second of two lattice vectors.
        const Vec3 first = image.edge[0];
        const Exact d = Exact((centres - first) + (first - v))
                            .plus(Exact(a.local), 1)
                            .plus(Exact(b.local), -1);
        least = std::min(least, d.length());
      }
    }
  }
  return least;
}

TEST_CASE("distances from tiles differ from the defining ones by at most the bound") {
  Random random(49);
  for (const NamedBox& named : test_boxes()) {
    const MinimumImage& image = named.box.minimum_image();
    for (const int most_boxes : {0, 3, 1000}) {
      double largest = 0.0;
      for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> positions = random_positions(random, named.box, 4);
        unwrap(random, named.box, most_boxes, positions);
        kernels::Bounds bounds;
        bounds.add({positions.data(), 4}, 0, 4);
        const kernels::PositionSpan span{positions.data(), 4};
        const Cluster a(image, span[0], span[1]);
        const Cluster b(image, span[2], span[3]);
        const long double distance =
            Exact(defining_displacement(image, span[1], span[3])).length();
        const auto off =
            static_cast<double>(std::abs(from_clusters(image, a, b) - distance));
        largest = std::max(largest, off / kernels::displacement_error(image, bounds));
      }
      INFO(named.name << ", up to " << most_boxes << " boxes away: " << largest);
      CHECK(largest < 1.0);
      if (image.edge[0] != Vec3{}) {  // in the open unit cube all is exact
        CHECK(largest > 1e-5);
      }
    }
  }
}

TEST_CASE("the error of displacements from clusters equals its formula") {
  Random random(50);
  for (const NamedBox& named : test_boxes()) {
    const MinimumImage& image = named.box.minimum_image();
    const std::vector<double> positions = random_positions(random, named.box, 4);
    kernels::Bounds bounds;
    bounds.add({positions.data(), 4}, 0, 4);
    double largest = 0.0;
    for (const double x : positions) {
      largest = std::max(largest, std::abs(x));
    }
    const auto size = [](Vec3 v) {
      return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    };
    double edges = 0.0;
    double skew = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      edges += size(image.edge[axis]);
      skew += size(image.edge[axis]) * size(image.dual[axis]);
    }
    INFO(named.name);
    CHECK(kernels::displacement_error(image, bounds) ==
          Approx(0x1p-46 * ((2.0 + skew) * (largest + edges) + skew * skew * largest))
              .epsilon(1e-12));
  }
}

}  // namespace
}  // namespace starhist::testing
