// Frames whose particles lie in a plane or on a line are recognised.
#include "codelets/core/geometry/flat_positions.hh"

#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

const Box slit({{{3, 0, 0}, {0, 4, 0}, {0, 0, 0.5}}}, {true, true, true});

/// Two species of three particles in the plane z = 1, and one more at `last`.
std::vector<std::vector<double>> layer(Vec3 last) {
  return {{},
          {0.1, 0.2, 1.0, 0.5, 0.3, 1.0, 2.0, 3.5, 1.0},
          {0.7, 0.9, 1.0, 1.1, 1.2, 1.0, 2.2, 2.4, 1.0, last.x, last.y, last.z}};
}

TEST_CASE("a frame is two-dimensional if its last particle is in the plane, too") {
  CHECK(two_dimensional(slit, layer({1.0, 1.0, 1.0})) == Plane::xy);
  CHECK(two_dimensional(slit, layer({1.0, 1.0, 1.0 + 1e-12})) == Plane::none);
  CHECK(two_dimensional(slit, {{0.1, 0.2, 1.0, 0.5, 0.3, 1.0, 2.0, 3.5, 1.0}}) ==
        Plane::none);  // three particles are always in a plane
  CHECK(two_dimensional(slit, {}) == Plane::none);
  const Box cube({{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}}, {true, true, true});
  CHECK(two_dimensional(cube, layer({1.0, 1.0, 1.0})) == Plane::none);
}

TEST_CASE("a plane is seen edge-on if the particles are on a line across it") {
  const std::vector<std::vector<double>> line{
      {0.1, 2.0, 1.0, 0.5, 2.0, 1.0, 2.0, 2.0, 1.0, 2.5, 2.0, 1.0}};
  CHECK(plane_seen_edge_on(Plane::xy, line) == Plane::xz);
  CHECK(plane_seen_edge_on(Plane::yz, line) == Plane::xy);
  CHECK(plane_seen_edge_on(Plane::xy, layer({1.0, 1.0, 1.0})) == Plane::none);
  CHECK(plane_seen_edge_on(Plane::xy, {}) == Plane::none);
}

}  // namespace
}  // namespace starhist::testing
