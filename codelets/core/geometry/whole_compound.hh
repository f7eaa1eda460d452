#pragma once

#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Makes compounds whole that are cut by a periodic boundary.
///
/// Starting from the first particle, each particle is placed at the periodic image
/// nearest to a particle already placed, nearest ones first (the minimum spanning tree
/// of minimum-image distances; Prim, Bell Syst. Tech. J. 36, 1389 (1957)). So a
/// compound may be longer than the box. If all particles are within half the inscribed
/// radius of the first one, their minimum images are the result, and the cost is O(n),
/// otherwise O(n^2). Not thread-safe, because memory is reused.
class WholeCompound {
 public:
  /// Displacements of a compound's particles from its first one, in double precision.
  /// `positions` may be unwrapped. The result is valid until the next call. Throws
  /// InputError if parts of the compound are farther apart than the inscribed radius
  /// (half the shortest lattice vector), because the nearest image is then ambiguous.
  const std::vector<Vec3>& displacements(const Box& box,
                                         const std::vector<Vec3>& positions);

 private:
  /// A particle that may be placed next.
  struct Candidate {
    Vec3 step;             ///< displacement from the nearest placed particle
    double r2 = 0.0;       ///< |step|^2
    std::size_t from = 0;  ///< number of that particle
    bool placed = false;
  };

  void grow_tree(const Box& box, const std::vector<Vec3>& positions);

  std::vector<Vec3> displacements_;
  std::vector<Candidate> candidates_;
};

/// The weighted mean position of a compound whose first particle is at `first`; not
/// wrapped. Weights must not be negative, nor all zero.
Vec3 centre_of(Vec3 first, const std::vector<Vec3>& displacements,
               const std::vector<double>& weights);

}  // namespace starhist
