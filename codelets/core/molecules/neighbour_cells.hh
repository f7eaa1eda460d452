#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Finds which positions are within a distance of given points, by minimum-image
/// distances (minimum_distance2()). The points are sorted into cells at least as wide
/// as the distance, so that a query examines at most 27 of them. Memory is reused.
class NeighbourCells {
 public:
  /// Sorts points into cells. `positions`: x, y, z of particles, finite; `points`:
  /// indices of the particles that are points; `radius` > 0.
  void sort(const Box& box, double radius, const std::vector<double>& positions,
            const std::vector<std::uint32_t>& points);

  /// Whether the distance r from some point fulfils r <= radius. Distances that exceed
  /// the radius by up to a 2^-30 part of it count as equal to it, because sums of
  /// decimal coordinates are rounded.
  bool any_within(Vec3 position) const;

 private:
  /// A direction of the grid: a dual vector of the reduced box, or a direction that is
  /// orthogonal to all periodic edges.
  struct Axis {
    Vec3 direction;
    Vec3 edge;  ///< periodic: edge of the reduced box
    bool periodic = false;
    std::int64_t count = 1;  ///< number of cells; periodic: 1, or at least 3
    double low = 0.0;        ///< open: lower end of the first cell
    double scale = 1.0;      ///< open: cells per unit of length
  };
  /// Cells next to a cell along an axis.
  struct Range {
    std::array<std::int64_t, 3> cells{};
    /// Per cell: edges between it and its periodic image next to the cell [-1, 1].
    std::array<double, 3> wraps{};
    std::size_t count = 0;
  };
  /// A position in the grid.
  struct Place {
    std::array<std::int64_t, 3> cell{};
    std::array<double, 3> boxes{};  ///< number of the box along periodic axes
    bool is_precise = true;         ///< wrapped() has the rounding of the limits below
  };

  void choose_axes(const Box& box, double radius, const std::vector<double>& positions,
                   const std::vector<std::uint32_t>& points);
  /// Finds the place of a position. False if no point can be near.
  bool find(Vec3 position, Place& place) const;
  /// The image of a position in the reduced box along periodic axes.
  Vec3 wrapped(Vec3 position, const Place& place) const;
  std::size_t index(std::int64_t a, std::int64_t b, std::int64_t c) const;
  static Range around(const Axis& axis, std::int64_t cell);
  void set_bounds();
  /// Whether all points of a cell that is not empty are beyond the radius.
  bool is_beyond(Vec3 from, std::size_t cell) const;
  /// Calls act(cell, displacement of its image) for the cell and its neighbours until
  /// one returns true. Returns whether one did.
  template <class Act>
  bool any_near(const std::array<std::int64_t, 3>& cell, Act act) const;

  MinimumImage image_;
  double limit2_ = 0.0;  ///< largest squared distance
  /// Below the first squared distance of wrapped positions, minimum_distance2() is
  /// below limit2_; above the second one above it.
  double surely_within2_ = 0.0;
  double surely_beyond2_ = 0.0;
  bool direct_ = false;  ///< each image within the radius is in another cell
  std::array<Axis, 3> axes_;
  std::vector<std::uint32_t> begin_;  ///< per cell, and one more: index into points_
  std::vector<Vec3> points_;          ///< by cell
  std::vector<Vec3> wrapped_;         ///< wrapped() of each point
  /// Bounds of the coordinates of wrapped positions.
  struct Bounds {
    Vec3 low;
    Vec3 high;
  };
  std::vector<Bounds> bounds_;  ///< per cell, of its points; only for direct_
  std::vector<Place> places_;
  std::vector<std::uint32_t> cell_of_;
  std::vector<char> near_;  ///< per cell: it or a neighbour contains a point
};

}  // namespace starhist
