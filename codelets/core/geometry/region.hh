#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Space that the particles fill, where the box does not define it. It determines the
/// volume V of a frame, and with `slab` and `cylinder` also the ideal gas by which g(r)
/// is normalised.
struct Region {
  enum class Shape {
    box,       ///< the box: V is its volume, 0 unless Box::has_volume()
    volume,    ///< of volume `size`; the ideal gas is unbounded
    slab,      ///< between two planes, along two periodic edges
    cylinder,  ///< around an axis along the only periodic edge
  };
  Shape shape = Shape::box;
  /// volume [length^3]; slab: thickness; cylinder: radius [length, > 0]
  double size = 0.0;

  /// True if pairs of the ideal gas are bounded by the region's surface.
  bool is_bounded() const { return shape == Shape::slab || shape == Shape::cylinder; }

  friend bool operator==(const Region&, const Region&) = default;
};

/// The edges of the box along which it is periodic.
std::vector<Vec3> periodic_edges(const Box& box);

/// "box", "volume", "slab" or "cylinder".
std::string to_string(Region::Shape shape);

/// Throws InputError for a name that to_string() does not return.
Region::Shape parse_shape(const std::string& name);

/// "a slab of thickness 3.2", for messages.
std::string region_text(const Region& region);

/// Power of a length that Region::size is: 3 for `volume`, otherwise 1.
int size_dimension(const Region& region);

/// The problem if the box does not suit the region: periodic along two edges for a
/// slab, along one for a cylinder, and without a volume for `volume`. "" without one.
std::string region_problem(const Region& region, const Box& box);

/// Volume of the region in this box [length^3]. 0 if region_problem() finds one.
double region_volume(const Region& region, const Box& box);

/// Volume within r of a point of a slab or cylinder, averaged over all its points
/// [length^3]: V times the probability that two independent, uniformly distributed
/// points are closer than r. Valid up to half the region's shortest lattice vector.
///
/// Slab of thickness H, from the density 2 (H - z)/H^2 of the distance z along the
/// normal: 4/3 pi r^3 - pi r^4 / (2 H) for r <= H, otherwise pi (r^2 H - H^3 / 6).
/// Cylinder of radius R: integral over the distance s from the axis of two points,
/// 4 pi s sqrt(r^2 - s^2) f(s) ds, where f is the overlap of two discs whose centres
/// are s apart, divided by their area: disk line picking, with x = s / (2 R),
/// f = 2/pi (arccos x - x sqrt(1 - x^2)). Relative error below 1e-12.
double mean_ball_volume(const Region& region, double r);

}  // namespace starhist
