#include "codelets/core/geometry/wigner_seitz.hh"

#include <cmath>
#include <numbers>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using std::numbers::pi;

std::vector<NamedBox> periodic_boxes() {
  std::vector<NamedBox> boxes;
  for (const NamedBox& named : test_boxes()) {
    if (named.box.has_volume()) {
      boxes.push_back(named);
    }
  }
  return boxes;
}

TEST_CASE(
    "a Wigner-Seitz cell has whole balls up to the inscribed radius, and the box's "
    "volume") {
  for (const auto& [name, box] : periodic_boxes()) {
    INFO(name);
    const WignerSeitzCell cell(box);
    for (const double part : {1e-3, 0.1, 0.5, 0.999999}) {
      const double r = part * box.inscribed_radius();
      CHECK(cell.ball_volume(r) / (4.0 / 3.0 * pi * r * r * r) ==
            Approx(1.0).epsilon(1e-11));
    }
    for (const double part : {1.0, 1.0001, 10.0, 1e6}) {
      CHECK(cell.ball_volume(part * box.covering_radius() * (1.0 + 1e-12)) ==
            Approx(box.volume()).epsilon(1e-10));
    }
    CHECK(cell.ball_volume(0.0) == 0.0);
  }
}

TEST_CASE("a ball in a cube loses six caps") {
  const WignerSeitzCell cell(cubic_box(2.0));
  for (const double r : {1.01, 1.2, 1.41}) {
    const double h = r - 1.0;
    const double cap = pi * h * h * (3.0 * r - h) / 3.0;
    CHECK(cell.ball_volume(r) ==
          Approx(4.0 / 3.0 * pi * r * r * r - 6.0 * cap).epsilon(1e-13));
  }
}

TEST_CASE("shells of a Wigner-Seitz cell match evenly spread points within 5 sigma") {
  Random random(71);
  constexpr int points = 200'000;
  constexpr int shells = 20;
  for (const auto& [name, box] : periodic_boxes()) {
    INFO(name);
    const WignerSeitzCell cell(box);
    const double r_max = box.covering_radius();
    std::vector<int> count(shells + 1);
    for (int k = 0; k < points; ++k) {
      const auto& e = box.edges();
      const Vec3 p =
          random.uniform() * e[0] + random.uniform() * e[1] + random.uniform() * e[2];
      const double r = std::sqrt(minimum_distance2(box.minimum_image(), p, Vec3{}));
      ++count[static_cast<std::size_t>(std::min(shells * r / r_max, double(shells)))];
    }
    CHECK(count[shells] == 0);
    for (int k = 0; k < shells; ++k) {
      const double part = (cell.ball_volume(r_max * (k + 1) / shells) -
                           cell.ball_volume(r_max * k / shells)) /
                          box.volume();
      const double expected = part * points;
      const double sigma = std::sqrt(expected * (1.0 - part));
      INFO("shell " << k << ": " << count[static_cast<std::size_t>(k)] << ", expected "
                    << expected);
      CHECK(std::abs(count[static_cast<std::size_t>(k)] - expected) <=
            5.0 * sigma + 1e-6);
      CHECK(part > -1e-12);
    }
  }
}

}  // namespace
}  // namespace starhist::testing
