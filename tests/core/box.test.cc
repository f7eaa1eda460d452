#include "codelets/core/geometry/box.hh"

#include <cmath>
#include <numbers>

#include "codelets/core/base/error.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/special_numbers.hh"

namespace starhist {
namespace {

using testing::all_periodic;
using testing::cubic_box;
using testing::error_text;
using testing::infinity;
using testing::missing;
using testing::not_a_number;
using testing::periodic_box;

bool about(double value, double expected) {
  return std::abs(value - expected) <= 1e-12 * std::abs(expected);
}

struct Lengths {
  double volume;
  double inscribed_radius;
  double rounding_radius;
  double covering_radius;
};

void check_lengths(const Box& box, const Lengths& expected) {
  CHECK(about(box.volume(), expected.volume));
  CHECK(about(box.inscribed_radius(), expected.inscribed_radius));
  CHECK(about(box.rounding_radius(), expected.rounding_radius));
  CHECK(about(box.covering_radius(), expected.covering_radius));
}

TEST_CASE("an open box has no volume and no limits") {
  const Box box;
  CHECK(box.kind() == BoxKind::open);
  CHECK(box.periodic_axis_count() == 0);
  CHECK_FALSE(box.has_volume());
  CHECK(box.volume() == 0.0);
  CHECK(box.inscribed_radius() == infinity);
  CHECK(box.rounding_radius() == infinity);
  CHECK(box.covering_radius() == infinity);
  CHECK(Box({Vec3{5, 0, 0}, {0, 5, 0}, {0, 0, 5}}, {}).kind() == BoxKind::open);
}

TEST_CASE("orthogonal boxes") {
  CHECK(cubic_box(3.0).kind() == BoxKind::orthorhombic);
  CHECK(cubic_box(3.0).has_volume());
  check_lengths(cubic_box(3.0), {27.0, 1.5, 1.5, 1.5 * std::sqrt(3.0)});
  const Box box = periodic_box({2, 0, 0}, {0, 3, 0}, {0, 0, 6});
  CHECK(box.kind() == BoxKind::orthorhombic);
  check_lengths(box, {36.0, 1.0, 1.0, 3.5});
  // Rotating the box does not change it.
  const Box turned = periodic_box({1.2, 1.6, 0}, {-2.4, 1.8, 0}, {0, 0, 6});
  CHECK(turned.kind() == BoxKind::orthorhombic);
  check_lengths(turned, {36.0, 1.0, 1.0, 3.5});
}

TEST_CASE("lattices of compact cells") {
  const double d = std::sqrt(2.0);
  CHECK(testing::truncated_octahedron().kind() == BoxKind::triclinic);
  check_lengths(testing::truncated_octahedron(),
                {4.0 * std::sqrt(3.0) / 9.0, 0.5, 1.0 / std::sqrt(6.0),
                 0.5 * std::sqrt(5.0 / 3.0)});
  CHECK(testing::rhombic_dodecahedron().kind() == BoxKind::triclinic);
  check_lengths(testing::rhombic_dodecahedron(), {0.5 * d, 0.5, 0.25 * d, 0.5 * d});
  CHECK(testing::hexagonal_box(1.6).kind() == BoxKind::triclinic);
  check_lengths(
      testing::hexagonal_box(1.6),
      {1.6 * std::sqrt(0.75), 0.5, 0.5 * std::sqrt(0.75), std::sqrt(1.0 / 3.0 + 0.64)});
  check_lengths(testing::hexagonal_box(0.2),
                {0.2 * std::sqrt(0.75), 0.1, 0.1, std::sqrt(1.0 / 3.0 + 0.01)});
}

TEST_CASE("another basis of the same lattice is the same box") {
  const Vec3 a{2, 0, 0};
  const Vec3 b{0, 3, 0};
  const Vec3 c{0, 0, 6};
  for (const Box& box :
       {periodic_box(a, b + 2.0 * a, c), periodic_box(a, b + 37.0 * a, c),
        periodic_box(b, c, a), periodic_box(a, b, c + -11.0 * a + 5.0 * b),
        periodic_box(a + b, b, c + a)}) {
    CHECK(about(box.volume(), 36.0));
    CHECK(about(box.inscribed_radius(), 1.0));
    CHECK(about(box.covering_radius(), 3.5));
  }
  CHECK(periodic_box(a, b + 37.0 * a, c).kind() == BoxKind::orthorhombic);
  CHECK(periodic_box(a, b + 2.0 * a, c).edges()[1] == b + 2.0 * a);
}

TEST_CASE("each axis may be periodic, and edges of other axes are ignored") {
  const Vec3 nothing{not_a_number, 0.0, infinity};
  const Box slab({Vec3{2, 0, 0}, {0, 3, 0}, nothing}, {true, true, false});
  CHECK(slab.kind() == BoxKind::orthorhombic);
  CHECK(slab.periodic_axis_count() == 2);
  CHECK_FALSE(slab.has_volume());
  CHECK(slab.volume() == 0.0);
  CHECK(slab.inscribed_radius() == 1.0);
  CHECK(slab.rounding_radius() == 1.0);
  CHECK(slab.covering_radius() == infinity);

  const Box oblique({Vec3{2, 0, 0}, nothing, {1, 0, 3}}, {true, false, true});
  CHECK(oblique.kind() == BoxKind::triclinic);
  CHECK(oblique.inscribed_radius() == 1.0);

  const Box wire({nothing, Vec3{3, 0, 4}, Vec3{}}, {false, true, false});
  CHECK(wire.kind() == BoxKind::orthorhombic);
  CHECK(wire.periodic_axis_count() == 1);
  CHECK(wire.inscribed_radius() == 2.5);
  CHECK(wire.rounding_radius() == 2.5);
}

TEST_CASE("lengths and angles") {
  const Box box = Box::from_lengths_and_angles({2, 3, 6}, {90, 90, 90});
  CHECK(box.edges() == std::array{Vec3{2, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 6}});
  CHECK(box.periodic() == all_periodic);
  check_lengths(
      Box::from_lengths_and_angles({1, 1, 1.6}, {90, 90, 120}),
      {1.6 * std::sqrt(0.75), 0.5, 0.5 * std::sqrt(0.75), std::sqrt(1.0 / 3.0 + 0.64)});
  check_lengths(Box::from_lengths_and_angles({1, 1, 1}, {60, 60, 90}),
                {std::sqrt(0.5), 0.5, std::sqrt(0.125), std::sqrt(0.5)});

  const Box skewed = Box::from_lengths_and_angles({2, 3, 4}, {70, 80, 100});
  const auto& [a, b, c] = skewed.edges();
  const auto degrees = [](Vec3 u, Vec3 v) {
    return std::acos(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v))) * 180.0 /
           std::acos(-1.0);
  };
  CHECK(about(dot(a, a), 4.0));
  CHECK(about(dot(b, b), 9.0));
  CHECK(about(dot(c, c), 16.0));
  CHECK(about(degrees(b, c), 70.0));
  CHECK(about(degrees(a, c), 80.0));
  CHECK(about(degrees(a, b), 100.0));
}

std::string refusal(const std::array<Vec3, 3>& edges,
                    const std::array<bool, 3>& periodic = all_periodic) {
  return error_text<InputError>([&] { Box(edges, periodic); });
}

TEST_CASE("invalid boxes are refused, with the reason in the message") {
  const Vec3 x{1, 0, 0};
  const Vec3 y{0, 1, 0};
  const Vec3 z{0, 0, 1};
  CHECK(missing(refusal({x, y, Vec3{}}), {"(0, 0, 0)", "zero", "--box"}) == "");
  CHECK(missing(refusal({x, Vec3{0, not_a_number, 0}, z}), {"nan", "not finite"}) ==
        "");
  CHECK(missing(refusal({Vec3{infinity, 0, 0}, y, z}), {"inf", "not finite"}) == "");
  CHECK(missing(refusal({x, y, x + y}), {"flat"}) == "");
  CHECK(missing(refusal({x, y, Vec3{1, 1, 1e-7}}), {"flat"}) == "");
  CHECK(missing(refusal({x, x, z}, {true, true, false}), {"flat"}) == "");
  CHECK(missing(refusal({Vec3{1e-70, 0, 0}, y, z}), {"1e-70", "absurd"}) == "");
  CHECK(missing(refusal({Vec3{1e200, 0, 0}, y, z}), {"1e+200", "absurd"}) == "");
  CHECK(refusal({y, x, Vec3{}}, {true, true, false}).empty());
}

TEST_CASE("a left-handed box has the lattice and the volume of its mirror image") {
  const Vec3 a{5, 0, 0};
  const Vec3 b{1, 4, 0};
  const Vec3 c{-1, 2, 3};
  const auto mirrored = [](Vec3 v) { return Vec3{v.x, v.y, -v.z}; };
  const Box right({a, b, c}, all_periodic);
  for (const Box& left :
       {Box({b, a, c}, all_periodic), Box({a, b, -1.0 * c}, all_periodic),
        Box({mirrored(a), mirrored(b), mirrored(c)}, all_periodic)}) {
    CHECK(left.volume() == 60.0);
    CHECK(left.volume() == right.volume());
    CHECK(about(left.inscribed_radius(), right.inscribed_radius()));
    CHECK(about(left.covering_radius(), right.covering_radius()));
    CHECK(left.kind() == BoxKind::triclinic);
  }
  const Box left({mirrored(a), mirrored(b), mirrored(c)}, all_periodic);
  const Vec3 p{0.3, 3.9, 2.8};
  const Vec3 q{4.8, -0.4, 0.1};
  CHECK(minimum_distance2(left.minimum_image(), mirrored(p), mirrored(q)) ==
        minimum_distance2(right.minimum_image(), p, q));
}

TEST_CASE("lengths and angles that do not make a cell are refused") {
  const auto from = [](const std::array<double, 3>& lengths,
                       const std::array<double, 3>& angles) {
    return error_text<InputError>(
        [&] { Box::from_lengths_and_angles(lengths, angles); });
  };
  CHECK(missing(from({1, 0, 1}, {90, 90, 90}), {"length 0"}) == "");
  CHECK(missing(from({1, -2, 1}, {90, 90, 90}), {"-2"}) == "");
  CHECK(missing(from({1, 1, not_a_number}, {90, 90, 90}), {"nan"}) == "");
  CHECK(missing(from({infinity, 1, 1}, {90, 90, 90}), {"inf"}) == "");
  CHECK(missing(from({1, 1, 1}, {90, 90, 0}), {"angle 0"}) == "");
  CHECK(missing(from({1, 1, 1}, {180, 90, 90}), {"180"}) == "");
  CHECK(missing(from({1, 1, 1}, {90, not_a_number, 90}), {"nan"}) == "");
  CHECK(missing(from({1, 1, 1}, {30, 40, 120}), {"30, 40, 120", "close"}) == "");
  const double right = std::numbers::pi / 2;
  CHECK(missing(from({1, 1, 1}, {right, right, right}), {"radians", "degrees"}) == "");
  CHECK(missing(from({1, 1, 1}, {right, right, 2.0944}), {"radians"}) == "");
  CHECK(from({1, 1, 1}, {3.2, 3.2, 3.2}) == "");
}

TEST_CASE("boxes are equal if their edges and axes are") {
  CHECK(cubic_box(1.0) == cubic_box(1.0));
  CHECK_FALSE(cubic_box(1.0) == cubic_box(2.0));
  CHECK_FALSE(cubic_box(1.0) == Box(cubic_box(1.0).edges(), {true, true, false}));
  CHECK(to_string(BoxKind::open) == "open");
  CHECK(to_string(BoxKind::orthorhombic) == "orthorhombic");
  CHECK(to_string(BoxKind::triclinic) == "triclinic");
}

}  // namespace
}  // namespace starhist
