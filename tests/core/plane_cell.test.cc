#include "codelets/core/geometry/plane_cell.hh"

#include <cmath>
#include <numbers>

#include "codelets/core/base/error.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using std::numbers::pi;

std::vector<NamedBox> planar_boxes() {
  const auto xy = [](Vec3 a, Vec3 b) {
    return Box::in_plane({a, b, Vec3{0.3, 0.1, 9.0}}, Plane::xy);
  };
  return {{"square", xy({1, 0, 0}, {0, 1, 0})},
          {"almost square", xy({1, 0, 0}, {0, 1.000001, 0})},
          {"rectangle", xy({1, 0, 0}, {0, 2.7, 0})},
          {"needle", xy({100, 0, 0}, {0, 1, 0})},
          {"hexagonal", xy({1, 0, 0}, {-0.5, std::sqrt(0.75), 0})},
          {"oblique", xy({1.3, 0, 0}, {0.4, 0.9, 0})},
          {"almost rectangular", xy({1.3, 0, 0}, {1e-9, 0.9, 0})},
          {"skewed", xy({1.3, 0, 0}, {0.4 + 3 * 1.3, 0.9, 0})},
          {"left-handed", xy({0.4, 0.9, 0}, {1.3, 0.1, 0})},
          {"xz",
           Box::in_plane({Vec3{1.2, 0.4, 0.1}, {0, 5, 0}, {0.3, 0.2, 0.8}}, Plane::xz)},
          {"yz",
           Box::in_plane({Vec3{5, 0, 0}, {0.7, 1.1, 0}, {0.1, 0.3, 0.8}}, Plane::yz)}};
}

/// The two edges that span a planar box.
std::array<Vec3, 2> span_of(const Box& box) {
  std::array<Vec3, 2> span{};
  std::size_t found = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (box.periodic()[k]) {
      span.at(found++) = box.edges()[k];
    }
  }
  return span;
}

/// Area of the cell within r by integration over the angle, with the distance of the
/// cell's boundary from all lattice vectors nearby.
double integrated_area(const Box& box, double r) {
  const auto [a, b] = span_of(box);
  const Vec3 x = 1.0 / length(a) * a;
  const Vec3 across = b - dot(b, x) * x;
  const Vec3 y = 1.0 / length(across) * across;
  constexpr int reach = 6;
  std::vector<Vec3> lattice;
  for (int i = -reach; i <= reach; ++i) {
    for (int j = -reach; j <= reach; ++j) {
      if (i != 0 || j != 0) {
        lattice.push_back(i * a + j * b);
      }
    }
  }
  constexpr int steps = 20'000;
  double area = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / steps;
    const Vec3 ray = std::cos(angle) * x + std::sin(angle) * y;
    double reached = r;
    for (const Vec3& v : lattice) {
      const double towards = dot(v, ray);
      if (towards > 0.0) {
        reached = std::min(reached, 0.5 * dot(v, v) / towards);
      }
    }
    area += 0.5 * reached * reached * 2.0 * pi / steps;
  }
  return area;
}

TEST_CASE(
    "a planar box has the area of its cell and keeps the periodicity of its plane") {
  for (const auto& [name, box] : planar_boxes()) {
    INFO(name);
    const auto [a, b] = span_of(box);
    CHECK(box.has_volume());
    CHECK(box.volume() == Approx(length(cross(a, b))).epsilon(1e-14));
    CHECK(box.periodic_axis_count() == 2);
    CHECK(std::isfinite(box.covering_radius()));
    CHECK(box.inscribed_radius() <= box.covering_radius());
  }
  const Box xz = Box::in_plane({Vec3{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, Plane::xz);
  CHECK(xz.edges() == std::array{Vec3{1, 0, 3}, Vec3{}, Vec3{7, 0, 10}});
  CHECK(xz.periodic() == std::array{true, false, true});
  CHECK_FALSE(xz == Box(xz.edges(), xz.periodic()));
}

TEST_CASE("the cell of a rectangle loses four segments of a disc") {
  const PlaneCell cell(Box::in_plane({Vec3{2, 0, 0}, {0, 2.4, 0}, {}}, Plane::xy));
  const auto segment = [](double r, double height) {
    return r > height ? r * r * std::acos(height / r) -
                            height * std::sqrt(r * r - height * height)
                      : 0.0;
  };
  for (const double r : {0.3, 1.0, 1.1, 1.2, 1.3, 1.5}) {
    CHECK(cell.disc_area(r) ==
          Approx(pi * r * r - 2.0 * segment(r, 1.0) - 2.0 * segment(r, 1.2))
              .epsilon(1e-13));
  }
}

TEST_CASE("disc areas in a plane's cell equal an integration over the angle") {
  for (const auto& [name, box] : planar_boxes()) {
    INFO(name);
    const PlaneCell cell(box);
    const double corner = box.covering_radius();
    CHECK(cell.disc_area(0.0) == 0.0);
    for (const double part : {0.1, 0.5, 0.999999}) {
      const double r = part * box.inscribed_radius();
      CHECK(cell.disc_area(r) == Approx(pi * r * r).epsilon(1e-12));
    }
    for (const double part : {1.0, 1.01, 10.0}) {
      CHECK(cell.disc_area(part * corner) == Approx(box.volume()).epsilon(1e-12));
    }
    if (name == "needle") {
      continue;  // the integration is too coarse
    }
    for (int k = 1; k < 10; ++k) {
      const double r = corner * k / 10.0;
      CHECK(cell.disc_area(r) == Approx(integrated_area(box, r)).epsilon(1e-6));
    }
  }
}

TEST_CASE(
    "no point of a plane is farther from the lattice than the corner of the cell") {
  Random random(72);
  for (const auto& [name, box] : planar_boxes()) {
    INFO(name);
    const auto [a, b] = span_of(box);
    double farthest = 0.0;
    for (int k = 0; k < 100'000; ++k) {
      const Vec3 p = random.uniform() * a + random.uniform() * b;
      farthest = std::max(farthest,
                          std::sqrt(minimum_distance2(box.minimum_image(), p, Vec3{})));
    }
    CHECK(farthest <= box.covering_radius() * (1.0 + 1e-12));
    CHECK(farthest >= box.covering_radius() * 0.97);
  }
}

TEST_CASE("planes are parsed in both orders of letters and by normals along axes") {
  CHECK(parse_plane("xy") == Plane::xy);
  CHECK(parse_plane("zx") == Plane::xz);
  CHECK(parse_plane("zy") == Plane::yz);
  CHECK(parse_plane("0,0,1") == Plane::xy);
  CHECK(parse_plane("0,-2.5,0") == Plane::xz);
  CHECK(parse_plane("1e3,0,0") == Plane::yz);
  for (const char* text : {"1,1,0", "0,0,0"}) {
    CHECK(missing(error_text<InputError>([text] { parse_plane(text); }),
                  {text, "does not lie along an axis", "rotate"}) == "");
  }
  for (const char* text : {"0,0,1,0", "nan,0,0", "inf,0,0", "0,0", "0, 0, 1", ""}) {
    CHECK(missing(error_text<InputError>([text] { parse_plane(text); }),
                  {text, "is not a plane", "0,0,1"}) == "");
  }
  CHECK(missing(error_text<InputError>([] { parse_plane("x"); }),
                {"'x'", "give xy, xz, yz or"}) == "");
  CHECK(missing(error_text<InputError>([] { parse_plane("none"); }), {"'none'"}) == "");
}

}  // namespace
}  // namespace starhist::testing
