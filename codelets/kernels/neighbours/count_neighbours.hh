#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "codelets/core/geometry/box.hh"
#include "codelets/kernels/count_pairs.hh"

namespace starhist::kernels {

/// Counts, for each particle of one species in a frame, the particles of another within
/// a cut-off distance, exactly as pair_bin() decides.
///
/// Particles and their periodic images are sorted into cells at least as wide as the
/// cut-off. Distances to the images in 27 cells are computed in single precision, with
/// an error bound; pair_bin() decides those within the bound of the cut-off. If the
/// cut-off is too close to half the shortest lattice vector for that, or beyond it, or
/// if coordinates are too large for single precision, pair_bin() decides all pairs.
class NeighbourSearch {
 public:
  /// The positions must outlive the search. A particle at a position of `centres` is
  /// counted as its neighbour if `neighbours` has it, too.
  NeighbourSearch(const Box& box, const NeighbourShell& shell, PositionSpan centres,
                  PositionSpan neighbours);

  /// Number of parts, which threads can count at the same time.
  std::size_t parts() const;

  /// Sets counts[i] to the number of neighbours of particle i of `centres`, for the
  /// particles of this part. Returns the number of pairs that pair_bin() decided.
  std::uint64_t count(std::size_t part, std::uint32_t* counts) const;

 private:
  struct Neighbourhood;

  /// Particles of `centres` in a cell.
  struct Cell {
    std::size_t cell;
    std::size_t begin;  ///< index into order_
    std::size_t end;
  };
  /// A position in the reduced box, and its fractional coordinates along periodic axes.
  struct Wrapped {
    Vec3 position;
    double fraction[3];
  };

  bool choose_scale(const Box& box);
  Wrapped wrapped(Vec3 position) const;
  void choose_cells(const std::vector<Vec3>& wrapped_centres);
  void sort_centres(const std::vector<Vec3>& wrapped_centres);
  void sort_neighbours();
  template <class Act>
  void for_each_image(Vec3 position, Act act) const;
  std::int64_t cell_along(int axis, double x) const;
  std::size_t cell_index(const std::int64_t (&at)[3]) const;
  /// Returns the number of images with those that fill the last group.
  std::size_t collect(const Cell& own, Neighbourhood& near) const;
  bool is_neighbour(std::size_t centre, std::size_t neighbour) const;
  std::uint64_t count_by_definition(std::size_t part, std::uint32_t* counts) const;

  const MinimumImage image_;
  const NeighbourShell shell_;
  const PositionSpan centres_;
  const PositionSpan neighbours_;
  int periodic_ = 0;         ///< number of periodic axes
  bool has_cells_ = false;   ///< false: pair_bin() decides all pairs
  double radius_ = 0.0;      ///< distance of the cut-off [unit of positions]
  double reach_ = 0.0;       ///< farthest image that may be a neighbour, likewise
  float surely_within_ = 0;  ///< squared distances, in units of radius_
  float surely_beyond_ = 0;
  Vec3 origin_;              ///< subtracted from positions in single precision
  double low_[3] = {};       ///< lower corner of the first cell
  double cell_scale_ = 0.0;  ///< cells per unit of length
  std::int64_t cells_[3] = {};
  std::vector<std::uint32_t> order_;     ///< particles of `centres` by cell
  std::vector<Cell> occupied_;           ///< cells with particles of `centres`
  std::vector<std::size_t> part_begin_;  ///< per part, and one more: into occupied_
  std::vector<std::uint32_t> begin_;     ///< per cell, and one more: into images
  /// Images of `neighbours` by cell, in units of radius_.
  std::vector<float> x_, y_, z_;
  std::vector<std::uint32_t> particle_;                ///< of each image
  std::vector<float> centre_x_, centre_y_, centre_z_;  ///< in the order of order_
};

}  // namespace starhist::kernels
