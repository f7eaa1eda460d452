#pragma once

#include <random>
#include <string>

namespace starhist::testing {

/// A LAMMPS dump of 8 frames of 12 molecules of three particles, types 1, 1 and 2, at
/// random positions in a tilted box.
inline std::string molecules_dump(unsigned seed) {
  constexpr int frame_count = 8;
  constexpr int molecules = 12;
  std::mt19937 random(seed);
  const auto coordinate = [&] {
    return " " + std::to_string(static_cast<double>(random() % 8000) / 1000.0);
  };
  std::string text;
  for (int frame = 0; frame < frame_count; ++frame) {
    text += "ITEM: TIMESTEP\n" + std::to_string(10 * frame) +
            "\nITEM: NUMBER OF ATOMS\n" + std::to_string(3 * molecules) +
            "\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 10 2\n0 8 0\n0 8 0\n"
            "ITEM: ATOMS id type mol x y z\n";
    for (int k = 0; k < 3 * molecules; ++k) {
      text += std::to_string(k + 1) + (k % 3 == 2 ? " 2 " : " 1 ") +
              std::to_string(k / 3 + 1) + coordinate() + coordinate() + coordinate() +
              "\n";
    }
  }
  return text;
}

}  // namespace starhist::testing
