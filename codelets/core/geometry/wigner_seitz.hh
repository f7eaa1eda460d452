#pragma once

#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// The Wigner-Seitz cell of a box that is periodic along all axes: all points that are
/// not closer to another image of its centre. Minimum-image distances of points spread
/// evenly are those of points in it from its centre, so that the volumes of its
/// spherical shells are what g(r) divides by, however large r.
class WignerSeitzCell {
 public:
  /// Throws InternalError when an axis is not periodic.
  explicit WignerSeitzCell(const Box& box);

  /// Volume of the part of the cell that is within r >= 0 of its centre, in closed
  /// form: 4/3 pi r^3 up to the inscribed radius, the box's volume from the farthest
  /// vertex on; relative error below 1e-13 of the box's volume.
  double ball_volume(double r) const;

 private:
  /// Faces are cut into right triangles around the feet of their perpendiculars, of
  /// which each, with the centre as apex, spans a part of the cell. Their volumes are
  /// added or subtracted.
  struct Triangle {
    double height;  ///< distance of the face from the centre
    double leg;     ///< from the foot to an edge of the face, > 0
    double angle;   ///< at the foot
    double sign;
  };
  /// The face that is perpendicular to facets[own].
  void add_face(const std::vector<Vec3>& facets, std::size_t own);
  static double ball_volume(const Triangle& triangle, double r);

  std::vector<Triangle> triangles_;
};

}  // namespace starhist
