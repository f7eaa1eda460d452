#include "codelets/core/geometry/empty_parts.hh"

#include <cmath>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

const std::array<bool, 3> all{true, true, true};

/// Particles spread over these fractions of the edges.
std::vector<std::vector<double>> spread(const Box& box, int count,
                                        const std::array<double, 3>& filled) {
  Random random(5);
  std::vector<double> positions;
  for (int k = 0; k < count; ++k) {
    Vec3 p{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      p = p + random.uniform(-0.5, 0.5) * filled[axis] * box.edges()[axis];
    }
    positions.insert(positions.end(), {p.x, p.y, p.z});
  }
  return {{}, positions};
}

TEST_CASE("empty parts of the box are found along each edge") {
  for (const Box& box : {Box({{{3, 0, 0}, {0, 4, 0}, {0, 0, 9}}}, all),
                         Box({{{3, 0, 0}, {1, 4, 0}, {-1, 2, 9}}}, all)}) {
    for (const int count : {2000, 40'000}) {
      const auto slab = empty_parts(box, spread(box, count, {1.0, 1.0, 0.4}));
      CHECK(slab[0] == 0.0);
      CHECK(slab[1] == 0.0);
      CHECK(slab[2] == Approx(0.6).margin(0.003));
      const auto wire = empty_parts(box, spread(box, count, {0.3, 0.5, 1.0}));
      CHECK(wire[0] == Approx(0.7).margin(0.003));
      CHECK(wire[1] == Approx(0.5).margin(0.003));
      CHECK(wire[2] == 0.0);
      const auto full = empty_parts(box, spread(box, count, {1.0, 1.0, 1.0}));
      CHECK(full == std::array{0.0, 0.0, 0.0});
    }
    CHECK(empty_parts(box, spread(box, 49, {1.0, 1.0, 0.1}))[2] == 0.0);
  }
}

TEST_CASE("particles in the order of their positions leave no part empty") {
  std::vector<double> positions;
  constexpr int count = 100'000;
  for (int k = 0; k < count; ++k) {
    const double part = (k + 0.5) / count;
    positions.insert(positions.end(),
                     {10.0 * part, std::fmod(1e3 * part, 10.0), 10.0 * part});
  }
  const Box box({{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}}, all);
  CHECK(empty_parts(box, {positions}) == std::array{0.0, 0.0, 0.0});
}

TEST_CASE("a warning names the empty axes, their smaller part and the options") {
  CHECK(empty_parts_text({0.0, 0.2, 0.0}) == "");
  CHECK(
      empty_parts_text({0.0, 0.0, 0.85}) ==
      "the counted particles leave 85 % of the box empty along z: g(r) is relative to "
      "their mean density in the whole box (for a slab in vacuum: --open z --geometry "
      "slab)");
  const std::string wire = empty_parts_text({0.7, 0.5, 0.1});
  CHECK(wire.find("50 % of the box empty along x, y") != std::string::npos);
  CHECK(wire.find("--open x,y --geometry cylinder") != std::string::npos);
  CHECK(empty_parts_text({0.3, 0.3, 0.3}).find("--open x,y,z --volume V;") !=
        std::string::npos);
}

TEST_CASE("layers of a crystal, open and planar boxes have no empty parts") {
  std::vector<double> layers;
  for (int k = 0; k < 64; ++k) {
    layers.insert(layers.end(),
                  {0.25 * (k % 8), 0.25 * (k / 8), k % 2 == 0 ? 0.0 : 0.5});
  }
  const std::array<Vec3, 3> edges{{{2, 0, 0}, {0, 2, 0}, {0, 0, 1}}};
  CHECK(empty_parts(Box(edges, all), {layers})[2] == 0.0);
  CHECK(empty_parts(Box(edges, {true, true, false}), {layers})[2] == 0.0);
  CHECK(empty_parts(Box::in_plane(edges, Plane::xy), {layers})[2] == 0.0);
}

}  // namespace
}  // namespace starhist::testing
