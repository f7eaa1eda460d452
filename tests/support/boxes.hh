#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::testing {

inline constexpr std::array<bool, 3> all_periodic{true, true, true};

struct NamedBox {
  std::string name;
  Box box;
};

inline Box periodic_box(Vec3 a, Vec3 b, Vec3 c) {
  return Box({a, b, c}, {true, true, true});
}

inline Box cubic_box(double length) {
  return periodic_box({length, 0, 0}, {0, length, 0}, {0, 0, length});
}

/// Nearest images at distance 1: the body-centred lattice, as GROMACS writes it.
inline Box truncated_octahedron() {
  return periodic_box({1.0, 0.0, 0.0}, {1.0 / 3.0, 2.0 * std::sqrt(2.0) / 3.0, 0.0},
                      {-1.0 / 3.0, std::sqrt(2.0) / 3.0, std::sqrt(6.0) / 3.0});
}

/// Nearest images at distance 1: the face-centred lattice, as GROMACS writes it.
inline Box rhombic_dodecahedron() {
  return periodic_box({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.5, 0.5, std::sqrt(0.5)});
}

inline Box hexagonal_box(double height) {
  return periodic_box({1.0, 0.0, 0.0}, {-0.5, std::sqrt(0.75), 0.0},
                      {0.0, 0.0, height});
}

/// Boxes of every shape that users have and that code may treat differently.
inline std::vector<NamedBox> test_boxes() {
  const Vec3 a{1.0, 0.05, -0.02};
  const Vec3 b{0.31, 0.92, 0.07};
  const Vec3 c{-0.22, 0.35, 1.13};
  return {
      {"open", Box()},
      {"cubic", cubic_box(1.0)},
      {"almost cubic", periodic_box({1.0, 0, 0}, {0, 1.000001, 0}, {0, 0, 1.0})},
      {"orthorhombic", periodic_box({1.0, 0, 0}, {0, 1.3, 0}, {0, 0, 0.8})},
      {"turned orthorhombic", periodic_box({0.6, 0.8, 0}, {-1.2, 0.9, 0}, {0, 0, 1.1})},
      {"needle", periodic_box({100.0, 0, 0}, {0, 1.0, 0}, {0, 0, 1.0})},
      {"triclinic needle",
       periodic_box({30.0, 0, 0}, {0.4, 1.0, 0}, {0.3, -0.45, 1.0})},
      {"triclinic", periodic_box(a, b, c)},
      {"left-handed cubic", periodic_box({1.0, 0, 0}, {0, 1.0, 0}, {0, 0, -1.0})},
      {"left-handed triclinic", periodic_box(a, b, -1.0 * c)},
      {"truncated octahedron", truncated_octahedron()},
      {"rhombic dodecahedron", rhombic_dodecahedron()},
      {"hexagonal", hexagonal_box(1.6)},
      {"skewed b + 2a", periodic_box(a, b + 2.0 * a, c)},
      {"skewed c - 3a + 2b", periodic_box(a, b, c + -3.0 * a + 2.0 * b)},
      {"slab", Box({Vec3{1.0, 0, 0}, {0, 1.2, 0}, {0, 0, 1.0}}, {true, true, false})},
      {"triclinic slab", Box({a, Vec3{0, 0, 1.0}, c}, {true, false, true})},
      {"wire", Box({Vec3{0, 1.0, 0}, {0, 0, 1.0}, {1.0, 0, 0}}, {false, true, false})},
      {"oblique wire", Box({a, b, Vec3{0, 0, 1.0}}, {false, true, false})},
  };
}

}  // namespace starhist::testing
