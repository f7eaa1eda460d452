#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Makes compounds whole that are cut by a periodic boundary.
///
/// Starting from the first particle, each particle is placed at the periodic image
/// nearest to a particle already placed, nearest ones first (the minimum spanning tree
/// of minimum-image distances; Prim, Bell Syst. Tech. J. 36, 1389 (1957)). So a
/// compound may be longer than the box. If all particles are within half the inscribed
/// radius of the first one, their minimum images are the result. Otherwise only pairs
/// within a cut-off are examined, which is doubled until the tree has all particles.
/// The cost is O(n log n), or O(n^2) for pieces far apart. Not thread-safe, because
/// memory is reused.
class WholeCompound {
 public:
  /// Displacements of a compound's particles from its first one, in double precision.
  /// `positions` may be unwrapped. The result is valid until the next call; it is right
  /// for the first `needed` particles, to which the others only lead. Throws InputError
  /// if parts of the compound with such particles are farther apart than the inscribed
  /// radius (half the shortest lattice vector), because the nearest image is then
  /// ambiguous.
  const std::vector<Vec3>& displacements(const Box& box,
                                         const std::vector<Vec3>& positions,
                                         std::size_t needed = SIZE_MAX);

 private:
  /// A particle that may be placed next.
  struct Candidate {
    Vec3 step;             ///< displacement from the nearest placed particle
    double r2 = 0.0;       ///< |step|^2
    std::size_t from = 0;  ///< number of that particle
    bool placed = false;
  };

  /// Places particles by pairs closer than `cutoff`, until the first `needed` ones are
  /// placed. Returns false if some were not reached.
  bool grow_tree(const Box& box, const std::vector<Vec3>& positions, double cutoff,
                 std::size_t needed);
  /// Sorts the particles into cells that are not narrower than `cutoff`.
  void fill_cells(const MinimumImage& image, const std::vector<Vec3>& positions,
                  double cutoff);
  /// Numbers of the cells that touch the cell of a particle, and this cell.
  void find_neighbours(std::size_t particle);

  std::vector<Vec3> displacements_;
  std::vector<Candidate> candidates_;
  double cutoff_ = 0.0;                 ///< of the last tree; 0: before the first
  std::array<std::size_t, 3> cells_{};  ///< number along each lattice vector
  std::vector<std::array<std::size_t, 3>> at_;     ///< cell of each particle
  std::vector<std::vector<std::size_t>> members_;  ///< particles of each cell
  std::vector<std::size_t> neighbours_;
};

/// The weighted mean position of a compound whose first particle is at `first`; not
/// wrapped. Weights must not be negative, nor all zero; particles beyond the last
/// weight have the weight 0.
Vec3 centre_of(Vec3 first, const std::vector<Vec3>& displacements,
               const std::vector<double>& weights);

}  // namespace starhist
