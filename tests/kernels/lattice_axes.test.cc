// The rectangular box of a lattice, used for sorting particles.
#include "codelets/kernels/clusters/lattice_axes.hh"

#include <cmath>

#include "tests/kernels/hard_problems.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

bool is_whole(double number) {
  return std::abs(number - std::round(number)) < 1e-6;
}

/// Length, area or volume that the edges of the lattice span.
double size_of(const MinimumImage& image) {
  double size = 1.0;
  std::vector<Vec3> before;
  for (Vec3 edge : image.edge) {
    if (edge != Vec3{}) {
      for (const Vec3 unit : before) {
        edge = edge - dot(edge, unit) * unit;
      }
      size *= length(edge);
      before.push_back((1.0 / length(edge)) * edge);
    }
  }
  return size;
}

void check_axes(const Box& box) {
  const MinimumImage& image = box.minimum_image();
  const kernels::LatticeAxes axes = kernels::lattice_axes(image);
  double size = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(std::abs(dot(axes.unit[k], axes.unit[j]) - (j == k ? 1.0 : 0.0)) < 1e-9);
    }
    if (k >= axes.edges) {
      CHECK(axes.edge[k] == Vec3{});
      continue;
    }
    size *= dot(axes.edge[k], axes.unit[k]);
    for (std::size_t j = k + 1; j < 3; ++j) {
      CHECK(std::abs(dot(axes.edge[k], axes.unit[j])) < 1e-9 * length(axes.edge[k]));
    }
    for (const Vec3 dual : image.dual) {
      CHECK(is_whole(dot(axes.edge[k], dual)));
    }
  }
  // If no edge of the lattice extends beyond the previous axes, a box of the cell's
  // size holds each particle once.
  CHECK(std::abs(size / size_of(image) - 1.0) < 1e-6);
}

TEST_CASE("lattice axes: orthogonal, and their box holds one image of each particle") {
  Random random(71);
  for (const auto& [name, box] : test_boxes()) {
    INFO(name);
    check_axes(box);
  }
  for (int repeat = 0; repeat < 300; ++repeat) {
    INFO("random box " << repeat);
    check_axes(random_box(random));
  }
}

TEST_CASE("lattice axes: Cartesian for the boxes of MD engines") {
  for (const auto& [name, box] : test_boxes()) {
    if (name != "cubic" && name != "orthorhombic" && name != "truncated octahedron" &&
        name != "rhombic dodecahedron" && name != "hexagonal" && name != "slab") {
      continue;
    }
    INFO(name);
    for (const Vec3 unit : kernels::lattice_axes(box.minimum_image()).unit) {
      CHECK(std::max({std::abs(unit.x), std::abs(unit.y), std::abs(unit.z)}) >
            1.0 - 1e-9);
    }
  }
}

}  // namespace
}  // namespace starhist::testing
