#pragma once

#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "codelets/core/base/vec3.hh"

namespace starhist::testing {

struct Atom {
  std::string species;
  Vec3 position;
};

/// One frame of extended XYZ. Numbers read back as the same doubles.
inline std::string xyz_frame(const std::vector<Vec3>& edges,
                             const std::vector<Atom>& atoms) {
  std::ostringstream text;
  text << std::setprecision(17) << atoms.size() << "\nLattice=\"";
  for (const Vec3& edge : edges) {
    text << edge.x << ' ' << edge.y << ' ' << edge.z << ' ';
  }
  text << "\"\n";
  for (const Atom& atom : atoms) {
    const Vec3 p = atom.position;
    text << atom.species << ' ' << p.x << ' ' << p.y << ' ' << p.z << '\n';
  }
  return text.str();
}

}  // namespace starhist::testing
