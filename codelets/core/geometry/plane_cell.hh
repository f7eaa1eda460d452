#pragma once

#include <array>
#include <optional>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Tolerance of edges, relative to the plane's cell: boxes of files have at least six
/// digits.
inline constexpr double edge_rounding = 1e-5;

/// True if the box repeats along both edges that span the plane.
bool spans(const Box& box, Plane plane);

/// The projection of the third edge onto the plane, if the box repeats along it and it
/// is not a lattice vector of the plane [length]: then a distance in the plane depends
/// on the periodic image of each particle. Empty otherwise. The box must span the
/// plane.
std::optional<Vec3> leaning_edge(const Box& box, Plane plane);

/// Period of the box along the plane's normal [length]; 0 if it is open along it.
double normal_period(const Box& box, Plane plane);

/// Rise of an edge that spans the plane [length], if it is not a multiple of
/// normal_period(): then a separation along the normal depends on the periodic image of
/// each particle in the plane. 0 without such an edge, and if the box is open along the
/// normal.
double rising_edge(const Box& box, Plane plane);

/// The Wigner-Seitz cell of a planar box: a rectangle or a hexagon. g(r) in a plane is
/// normalised by the areas of its annuli, as g(r) in space by WignerSeitzCell.
class PlaneCell {
 public:
  /// Throws InternalError unless Box::is_planar().
  explicit PlaneCell(const Box& box);

  /// Area of the part of the cell within r of its centre, in closed form: pi r^2 up to
  /// the inscribed radius, the box's area beyond the corners [length^2].
  double disc_area(double r) const;

 private:
  /// Half of an edge of the cell: a right triangle with a corner at the centre.
  struct Triangle {
    double height = 0.0;  ///< distance of the edge from the centre
    double angle = 0.0;   ///< at the centre, between 0 and pi/2
  };
  /// A quarter of the cell's triangles: each pair of opposite edges has four of one
  /// shape.
  std::array<Triangle, 3> triangles_{};
};

}  // namespace starhist
