#pragma once

#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// The Wigner-Seitz cell of a box that is periodic along all axes: the points that are
/// not closer to another image of its centre. Minimum-image distances of evenly spread
/// points are distributed like distances of the cell's points from its centre.
/// Therefore g(r) is normalised by the volumes of its spherical shells, for any r.
class WignerSeitzCell {
 public:
  /// Throws InternalError if an axis is not periodic.
  explicit WignerSeitzCell(const Box& box);

  /// Volume of the part of the cell within r >= 0 of its centre, in closed form: 4/3 pi
  /// r^3 up to the inscribed radius, the box's volume beyond the farthest vertex;
  /// relative error below 1e-13 of the box's volume.
  double ball_volume(double r) const;

 private:
  /// A right triangle of a face, with a corner at the foot of the perpendicular from
  /// the centre. With the centre as apex it spans a part of the cell, whose volume is
  /// added or subtracted.
  struct Triangle {
    double height;  ///< distance of the face from the centre
    double leg;     ///< from the foot to an edge of the face [> 0]
    double angle;   ///< at the foot [radians]
    double sign;    ///< +1 or -1
  };
  /// Adds the triangles of the face perpendicular to facets[own].
  void add_face(const std::vector<Vec3>& facets, std::size_t own);
  /// Volume within r of the centre of the part that a triangle spans.
  static double ball_volume(const Triangle& triangle, double r);

  std::vector<Triangle> triangles_;  ///< of one face of each opposite pair
};

}  // namespace starhist
