// Boxes whose edges lean in a plane or out of it; positions projected onto it, and
// their heights above it.
#include "codelets/core/geometry/flat_positions.hh"
#include "codelets/core/geometry/plane_cell.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

TEST_CASE("a third edge leans unless it is a lattice vector of the plane") {
  const auto box = [](Vec3 c) { return periodic_box({2, 0, 0}, {1, 2, 0}, c); };
  CHECK(!leaning_edge(box({0, 0, 5}), Plane::xy));
  CHECK(!leaning_edge(box({3, 2, 5}), Plane::xy));  // a + b
  CHECK(!leaning_edge(box({1e-6, 0, 5}), Plane::xy));
  CHECK(leaning_edge(box({0.5, 0.25, 5}), Plane::xy) == Vec3{0.5, 0.25, 0});
  CHECK(leaning_edge(box({0, 0, 5}), Plane::xz) == Vec3{1, 0, 0});
  // An edge without images does not count.
  const Box open({Vec3{2, 0, 0}, {0, 2, 0}, {0.5, 0, 5}}, {true, true, false});
  CHECK(!leaning_edge(open, Plane::xy));
  CHECK(spans(open, Plane::xy));
  CHECK(!spans(open, Plane::xz));
  CHECK(!spans(open, Plane::yz));
}

TEST_CASE("an edge of the plane rises unless by periods of the third edge") {
  const auto box = [](Vec3 a, Vec3 b) { return periodic_box(a, b, {0, 0, 5}); };
  CHECK(rising_edge(box({2, 0, 0}, {0, 2, 0}), Plane::xy) == 0.0);
  CHECK(rising_edge(box({2, 0, -5}, {0, 2, 1e-5}), Plane::xy) == 0.0);
  CHECK(rising_edge(box({2, 0, 5}, {0, 2, 0.5}), Plane::xy) == 0.5);
  CHECK(rising_edge(box({2, 1, 0}, {0, 2, 0}), Plane::xz) == 1.0);
  CHECK(rising_edge(box({2, 4, 0}, {0, -2, 0}), Plane::xz) == 0.0);
  CHECK(normal_period(box({2, 0, 0}, {0, -2, 0}), Plane::xz) == 2.0);
  const Box open({Vec3{2, 0, 0.5}, {0, 2, 0}, {0, 0, 5}}, {true, true, false});
  CHECK(rising_edge(open, Plane::xy) == 0.0);
  CHECK(normal_period(open, Plane::xy) == 0.0);
  // An edge without images does not count.
  const Box line({Vec3{2, 0, 0.5}, {0, 2, 0}, {0, 0, 5}}, {false, true, true});
  CHECK(rising_edge(line, Plane::xy) == 0.0);
}

TEST_CASE("projected positions have no coordinate along the normal") {
  const std::vector<std::vector<double>> positions{{1, 2, 3}, {}, {4, 5, 6, 7, 8, 9}};
  using Species = std::vector<std::vector<double>>;
  for (const auto& [plane, expected] :
       {std::pair{Plane::xy, Species{{1, 2, 0}, {}, {4, 5, 0, 7, 8, 0}}},
        std::pair{Plane::xz, Species{{1, 0, 3}, {}, {4, 0, 6, 7, 0, 9}}},
        std::pair{Plane::yz, Species{{0, 2, 3}, {}, {0, 5, 6, 0, 8, 9}}}}) {
    Species projected = positions;
    project(plane, projected);
    CHECK(projected == expected);
  }
  CHECK(heights_of(Plane::xz, positions) == Species{{2}, {}, {5, 8}});
}

}  // namespace
}  // namespace starhist::testing
