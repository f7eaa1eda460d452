#include "codelets/core/geometry/region.hh"

#include <cmath>
#include <numbers>
#include <vector>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

using std::numbers::pi;
using Shape = Region::Shape;

/// Box with edges 2, 3 and 5 along x, y and z.
Box box_with(std::array<bool, 3> periodic) {
  return {{Vec3{2, 0, 0}, {0, 3, 0}, {0, 0, 5}}, periodic};
}

/// mean_ball_volume() of a slab, integrated over the distance z along the normal with
/// Simpson's rule.
double integrated_slab(double thickness, double r) {
  constexpr int steps = 20000;
  const double end = std::min(r, thickness);
  const auto disc = [&](double z) {
    return 2.0 * (1.0 - z / thickness) * pi * (r * r - z * z);
  };
  double sum = disc(0.0) + disc(end);
  for (int k = 1; k < steps; ++k) {
    sum += (k % 2 == 0 ? 2.0 : 4.0) * disc(end * k / steps);
  }
  return sum * end / steps / 3.0;
}

/// Number of pairs of discs' points closer than s, divided by all pairs: the closed
/// form of disk line picking, with x = s / (2 R).
double disc_pairs_within(double x) {
  if (x >= 1.0) {
    return 1.0;
  }
  const double root = x * std::sqrt(1.0 - x * x);
  return 2.0 / pi *
         (4.0 * x * x * std::acos(x) + std::asin(x) - root * (1.0 + 2.0 * x * x));
}

/// mean_ball_volume() of a cylinder, integrated along the axis over the closed form.
double integrated_cylinder(double radius, double r) {
  constexpr int steps = 200000;
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double t = (k + 0.5) / steps * 0.5 * pi;  // z = r sin t
    sum += disc_pairs_within(0.5 * r * std::cos(t) / radius) * std::cos(t);
  }
  return 2.0 * r * pi * radius * radius * sum * (0.5 * pi / steps);
}

TEST_CASE("mean balls of slabs and cylinders equal integrals") {
  for (const double size : {0.3, 1.0, 4.0}) {
    for (const double r : {0.01, 0.29, 0.3, 0.6, 0.61, 1.0, 2.0, 7.5, 8.1, 20.0}) {
      INFO("size " << size << ", r " << r);
      CHECK(mean_ball_volume({Shape::slab, size}, r) ==
            Approx(integrated_slab(size, r)).epsilon(1e-9));
      CHECK(mean_ball_volume({Shape::cylinder, size}, r) ==
            Approx(integrated_cylinder(size, r)).epsilon(1e-8));
    }
  }
  CHECK(mean_ball_volume({Shape::slab, 1.0}, 0.0) == 0.0);
  CHECK(mean_ball_volume({Shape::cylinder, 1.0}, 0.0) == 0.0);
}

TEST_CASE("mean balls of cylinders are exact to twelve digits") {
  // The integral of exact-shells.md in 40 digits, by mpmath.
  const auto ball = [](double radius, double r) {
    return mean_ball_volume({Shape::cylinder, radius}, r);
  };
  CHECK(ball(0.3, 0.29) == Approx(0.0658650035209973412).epsilon(1e-12));
  CHECK(ball(1.0, 2.0) == Approx(10.7547660827355723).epsilon(1e-12));
  CHECK(ball(1.0, 7.5) == Approx(46.7018484599371132).epsilon(1e-12));
  CHECK(ball(4.0, 0.61) == Approx(0.896429657147035337).epsilon(1e-12));
}

TEST_CASE("mean balls of wide regions are whole balls") {
  const double ball = 4.0 / 3.0 * pi;
  CHECK(mean_ball_volume({Shape::slab, 1e9}, 1.0) == Approx(ball).epsilon(1e-8));
  CHECK(mean_ball_volume({Shape::cylinder, 1e9}, 1.0) == Approx(ball).epsilon(1e-8));
}

TEST_CASE("volumes of regions follow from the periodic edges") {
  CHECK(region_volume({}, box_with({true, true, true})) == 30.0);
  CHECK(region_volume({}, box_with({true, true, false})) == 0.0);
  CHECK(region_volume({Shape::volume, 7.0}, box_with({true, true, false})) == 7.0);
  CHECK(region_volume({Shape::volume, 7.0}, Box()) == 7.0);
  CHECK(region_volume({Shape::slab, 0.5}, box_with({true, true, false})) == 3.0);
  CHECK(region_volume({Shape::slab, 0.5}, box_with({false, true, true})) == 7.5);
  CHECK(region_volume({Shape::cylinder, 2.0}, box_with({false, false, true})) ==
        Approx(20.0 * pi).epsilon(1e-14));
  const Box tilted({Vec3{2, 0, 0}, {1, 3, 0}, {9, 9, 5}}, {true, true, false});
  CHECK(region_volume({Shape::slab, 0.5}, tilted) == 3.0);
}

TEST_CASE("regions need boxes with fitting open axes") {
  CHECK(region_problem({}, box_with({true, true, true})) == "");
  CHECK(region_problem({Shape::volume, 1.0}, box_with({true, true, true})) != "");
  CHECK(region_problem({Shape::slab, 1.0}, box_with({true, true, true})) != "");
  CHECK(region_problem({Shape::slab, 1.0}, box_with({true, true, false})) == "");
  CHECK(region_problem({Shape::cylinder, 1.0}, box_with({true, true, false})) != "");
  CHECK(region_problem({Shape::cylinder, 1.0}, box_with({false, true, false})) == "");
  CHECK(region_volume({Shape::slab, 1.0}, Box()) == 0.0);
  CHECK_THROWS_AS(parse_shape("sphere"), InputError);
  CHECK_THROWS_AS(mean_ball_volume({}, 1.0), InternalError);
}

}  // namespace
}  // namespace starhist::testing
