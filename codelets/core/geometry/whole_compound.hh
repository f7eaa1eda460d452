#pragma once

#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Displacements of the particles of a unit (a molecule, a residue) from its first one,
/// with the unit made whole where periodic boundaries cut it.
///
/// Starting at the first, the particle nearest to one that is placed already comes
/// next, at the nearest image as seen from that one (the minimum spanning tree of
/// minimum-image distances; Prim, Bell Syst. Tech. J. 36, 1389 (1957)). So a unit may
/// be longer than the box; only its pieces must not be apart by half the shortest
/// lattice vector. Throws InputError when they are, as the nearest image is then not
/// the only candidate. A function of the positions alone, in double precision.
///
/// Where all particles are within half of that from the first one, all differences of
/// their displacements are minimum images already, so that this is the whole tree:
/// the cost is n then, else n^2.
class WholeCompound {
 public:
  /// The result is valid until the next call. `positions` may be unwrapped.
  const std::vector<Vec3>& displacements(const Box& box,
                                         const std::vector<Vec3>& positions);

 private:
  struct Candidate {
    Vec3 step;  ///< from the placed particle that is nearest to it
    double r2 = 0.0;
    std::size_t from = 0;
    bool placed = false;
  };

  void grow_tree(const Box& box, const std::vector<Vec3>& positions);

  std::vector<Vec3> displacements_;
  std::vector<Candidate> candidates_;
};

/// The weighted mean of the particles of a unit, near the first one and not wrapped.
/// Weights must not be negative, nor all zero.
Vec3 centre_of(Vec3 first, const std::vector<Vec3>& displacements,
               const std::vector<double>& weights);

}  // namespace starhist
