#include "codelets/core/geometry/orthogonal_sublattice.hh"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

struct NamedBox {
  std::string name;
  Box box;
};

/// A box with edges in the plane and along z, as crystals and membranes have.
Box centred_rectangle(double a, double b, double c) {
  return periodic_box({0.5 * a, 0.5 * b, 0.0}, {0.5 * a, -0.5 * b, 0.0}, {0.0, 0.0, c});
}

std::vector<NamedBox> boxes_with_orthogonal_vectors() {
  const double root2 = std::numbers::sqrt2;
  return {
      {"truncated octahedron", truncated_octahedron()},
      {"rhombic dodecahedron", rhombic_dodecahedron()},
      {"rhombic dodecahedron on a hexagon",
       periodic_box({1.0, 0.0, 0.0}, {0.5, std::sqrt(0.75), 0.0},
                    {0.5, std::sqrt(0.75) / 3.0, root2 / std::sqrt(3.0)})},
      {"hexagonal prism", hexagonal_box(1.6)},
      {"flat hexagonal prism", hexagonal_box(0.3)},
      {"body-centred",
       periodic_box({1.0, 0.0, 0.0}, {0.0, 1.3, 0.0}, {0.5, 0.65, 0.9})},
      {"base-centred", centred_rectangle(1.0, 1.7, 2.2)},
  };
}

/// Largest difference between the squared distance by definition and the smaller square
/// of the two images that the sublattice gives. Its vectors are taken as orthogonal.
double largest_difference(Random& random, const Box& box,
                          const OrthogonalSublattice& sublattice) {
  double largest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 d{random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0),
                 random.uniform(-2.0, 2.0)};
    double first = 0.0;
    double second = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double s = dot(d, sublattice.dual[axis]);
      const double edge = length(sublattice.edge[axis]);
      const double x = edge * std::abs(s - std::nearbyint(s));
      const double other = (sublattice.halved[axis] ? 0.5 * edge : 0.0) - x;
      first += x * x;
      second += other * other;
    }
    const double nearest = std::sqrt(minimum_distance2(box.minimum_image(), d, {}));
    largest = std::max(largest, std::abs(std::sqrt(std::min(first, second)) - nearest));
  }
  return largest;
}

TEST_CASE("two images along orthogonal vectors give the minimum image") {
  Random random(71);
  for (const NamedBox& each : boxes_with_orthogonal_vectors()) {
    INFO(each.name);
    const auto sublattice = orthogonal_sublattice(each.box.minimum_image(), 1e-12);
    REQUIRE(sublattice);
    CHECK(sublattice->deviation < 1e-14);
    CHECK(largest_difference(random, each.box, *sublattice) < 1e-13);
  }
}

TEST_CASE("the deviation bounds the error of rounded boxes") {
  Random random(72);
  for (const double step : {1e-7, 1e-5, 3e-5}) {
    for (const NamedBox& each : boxes_with_orthogonal_vectors()) {
      INFO(each.name << ", rounded to " << step);
      std::vector<Vec3> edges;
      for (const Vec3 v : each.box.edges()) {
        const auto rounded = [&](double x) {
          return step * std::nearbyint(x / step + random.uniform(-0.5, 0.5));
        };
        edges.push_back({rounded(v.x), rounded(v.y), rounded(v.z)});
      }
      const Box box = periodic_box(edges[0], edges[1], edges[2]);
      const auto sublattice = orthogonal_sublattice(box.minimum_image(), 1e-3);
      REQUIRE(sublattice);
      CHECK(sublattice->deviation < 10.0 * step);
      const double difference = largest_difference(random, box, *sublattice);
      CHECK(difference <= 1.001 * sublattice->deviation + 1e-13);
      CHECK(difference >= 0.1 * sublattice->deviation);
      if (sublattice->deviation > 0.0) {
        CHECK(
            !orthogonal_sublattice(box.minimum_image(), 0.99 * sublattice->deviation));
      }
    }
  }
}

TEST_CASE("nearly rectangular boxes are their own orthogonal vectors") {
  const Box box = periodic_box({1.0, 0.0, 0.0}, {1e-7, 1.2, 0.0}, {0.0, 2e-7, 0.9});
  REQUIRE(box.kind() == BoxKind::triclinic);
  const auto sublattice = orthogonal_sublattice(box.minimum_image(), 1e-6);
  REQUIRE(sublattice);
  CHECK(!sublattice->halved[0]);
  CHECK(!sublattice->halved[1]);
  CHECK(!sublattice->halved[2]);
}

TEST_CASE("other boxes have no orthogonal vectors") {
  for (const Box& box :
       {Box(), periodic_box({1.0, 0.0, 0.0}, {0.3, 1.1, 0.0}, {0.1, -0.2, 0.9}),
        Box({Vec3{1.0, 0, 0}, {-0.5, 0.8, 0}, {0, 0, 1.0}}, {true, true, false})}) {
    CHECK(!orthogonal_sublattice(box.minimum_image(), 1.0));
  }
}

}  // namespace
}  // namespace starhist::testing
