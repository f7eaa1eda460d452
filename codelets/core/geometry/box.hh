#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/core/geometry/plane.hh"

namespace starhist {

/// Shape of the lattice of periodic images, whatever its orientation.
enum class BoxKind { open, orthorhombic, triclinic };

/// "open", "orthorhombic" or "triclinic".
std::string to_string(BoxKind kind);

/// The simulation cell: three edge vectors (rows a, b, c) and, per edge, whether the
/// system repeats along it. Edges of axes that are not periodic are placeholders and
/// are ignored. Lengths are in the trajectory's length unit.
class Box {
 public:
  /// An open box.
  Box() = default;

  /// Throws InputError if a periodic edge is zero, not finite, shorter than 1e-60 or
  /// longer than 1e60, or if the periodic edges are flat or too skewed to be reduced.
  /// They need not be reduced, and may be left-handed: distances do not depend on it.
  Box(const std::array<Vec3, 3>& edges, const std::array<bool, 3>& periodic);

  /// A box with three periodic axes from lengths and angles in degrees (alpha between b
  /// and c, beta between a and c, gamma between a and b), with a along x and b in the
  /// xy plane. Throws like the constructor, and if the angles do not close to a cell.
  static Box from_lengths_and_angles(const std::array<double, 3>& lengths,
                                     const std::array<double, 3>& angles);

  /// A planar box: the cell of a plane, which repeats along two axes. It is spanned by
  /// the projections of two edges; the edge along the normal axis becomes zero. Throws
  /// like the constructor, and InternalError for Plane{}.
  static Box in_plane(const std::array<Vec3, 3>& edges, Plane plane);

  const std::array<Vec3, 3>& edges() const { return edges_; }
  const std::array<bool, 3>& periodic() const { return periodic_; }
  int periodic_axis_count() const;
  BoxKind kind() const { return kind_; }
  /// The plane of in_plane(); Plane{} for other boxes.
  Plane plane() const { return plane_; }
  bool is_planar() const { return plane_ != Plane::none; }
  /// True if all three axes are periodic, or the box is planar.
  bool has_volume() const { return is_planar() || periodic_axis_count() == 3; }

  /// Volume of the cell [length unit^3], of a planar box its area [length unit^2]; 0
  /// unless has_volume().
  double volume() const { return volume_; }

  /// Radius of the sphere inscribed in the Wigner-Seitz cell: half the shortest lattice
  /// vector. Smaller spheres contain every direction once, so g(r) may use 4/3 pi r^3.
  /// Infinite for an open box.
  double inscribed_radius() const { return inscribed_radius_; }

  /// Half the smallest perpendicular width of the reduced cell. Below it, rounding is
  /// sufficient to find the minimum image. Infinite for an open box.
  double rounding_radius() const { return rounding_radius_; }

  /// The largest minimum-image distance of any two points, of a planar box of its
  /// plane. Infinite unless has_volume().
  double covering_radius() const { return covering_radius_; }

  const MinimumImage& minimum_image() const { return image_; }

  friend bool operator==(const Box& a, const Box& b) {
    return a.edges_ == b.edges_ && a.periodic_ == b.periodic_ && a.plane_ == b.plane_;
  }

 private:
  std::array<Vec3, 3> edges_{};
  std::array<bool, 3> periodic_{};
  Plane plane_ = Plane::none;
  BoxKind kind_ = BoxKind::open;
  double volume_ = 0.0;
  double inscribed_radius_ = std::numeric_limits<double>::infinity();
  double rounding_radius_ = std::numeric_limits<double>::infinity();
  double covering_radius_ = std::numeric_limits<double>::infinity();
  MinimumImage image_{};
};

}  // namespace starhist
