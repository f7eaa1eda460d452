#include "codelets/core/geometry/box.hh"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/lattice.hh"

namespace starhist {
namespace {

std::string edge_text(Vec3 v) {
  return "(" + number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) +
         ")";
}

std::string edges_text(const std::vector<Vec3>& edges) {
  std::string text;
  for (const Vec3 edge : edges) {
    text += (text.empty() ? "" : " ") + edge_text(edge);
  }
  return text;
}

void check_edge(Vec3 v) {
  // Squares and their ratios must neither overflow nor underflow.
  constexpr double smallest = 1e-60;
  constexpr double largest = 1e60;
  if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
    throw InputError("box edge " + edge_text(v) + " is not finite");
  }
  if (v == Vec3{}) {
    throw InputError("box edge " + edge_text(v) +
                     " is zero (a periodic axis needs a length; give --box none or "
                     "--box a,b,c if the file has no box)");
  }
  if (length(v) < smallest || length(v) > largest) {
    throw InputError("box edge " + edge_text(v) + " has an absurd length");
  }
}

/// Volume of a cell, of either handedness [> 0 unless it is flat].
double volume_of(Vec3 a, Vec3 b, Vec3 c) {
  return std::abs(dot(a, cross(b, c)));
}

/// Area or volume of the cell divided by the product of its edge lengths.
double relative_content(const std::vector<Vec3>& edges) {
  switch (edges.size()) {
    case 2:
      return length(cross(edges[0], edges[1])) / (length(edges[0]) * length(edges[1]));
    case 3:
      return volume_of(edges[0], edges[1], edges[2]) /
             (length(edges[0]) * length(edges[1]) * length(edges[2]));
    default:
      return 1.0;
  }
}

void check_shape(const std::vector<Vec3>& edges) {
  constexpr double flat = 1e-6;
  if (relative_content(edges) < flat) {
    throw InputError("box " + edges_text(edges) +
                     " is flat (its edges lie in one plane or line)");
  }
}

}  // namespace

std::string to_string(BoxKind kind) {
  switch (kind) {
    case BoxKind::open:
      return "open";
    case BoxKind::orthorhombic:
      return "orthorhombic";
    case BoxKind::triclinic:
      return "triclinic";
  }
  return "unknown";
}

Box::Box(const std::array<Vec3, 3>& edges, const std::array<bool, 3>& periodic)
    : edges_(edges), periodic_(periodic) {
  std::vector<Vec3> lattice;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (periodic[axis]) {
      check_edge(edges[axis]);
      lattice.push_back(edges[axis]);
    }
  }
  if (lattice.empty()) {
    return;
  }
  check_shape(lattice);
  image_ = make_minimum_image(lattice);
  kind_ = image_.facet_count == 0 ? BoxKind::orthorhombic : BoxKind::triclinic;
  rounding_radius_ = 0.5 / std::sqrt(std::max({dot(image_.dual[0], image_.dual[0]),
                                               dot(image_.dual[1], image_.dual[1]),
                                               dot(image_.dual[2], image_.dual[2])}));
  const auto reduced = reduced_lattice(lattice);
  inscribed_radius_ = 0.5 * shortest_vector(reduced);
  covering_radius_ = starhist::covering_radius(reduced);
  STARHIST_ENSURE(inscribed_radius_ > 0.0 && inscribed_radius_ <= covering_radius_,
                  "the inscribed radius is positive and at most the covering radius");
  volume_ = lattice.size() == 3 ? volume_of(edges[0], edges[1], edges[2]) : 0.0;
}

Box Box::from_lengths_and_angles(const std::array<double, 3>& lengths,
                                 const std::array<double, 3>& angles) {
  for (const double value : lengths) {
    if (!std::isfinite(value) || value <= 0.0) {
      throw InputError("box length " + number_text(value) + " is not positive");
    }
  }
  for (const double value : angles) {
    if (!(value > 0.0 && value < 180.0)) {
      throw InputError("box angle " + number_text(value) +
                       " is not between 0 and 180 degrees");
    }
  }
  // An angle in radians is at most pi; no cell has three angles of so few degrees.
  if (*std::max_element(angles.begin(), angles.end()) <= std::numbers::pi) {
    throw InputError("box angles " + number_text(angles[0]) + ", " +
                     number_text(angles[1]) + ", " + number_text(angles[2]) +
                     " are too small for a cell (all are at most pi, so they look "
                     "like radians): give them in degrees");
  }
  const auto cosine = [](double degrees) {
    // A right angle of the file gives an exactly orthogonal box.
    return degrees == 90.0 ? 0.0 : std::cos(degrees * std::numbers::pi / 180.0);
  };
  const double cos_alpha = cosine(angles[0]);
  const double cos_beta = cosine(angles[1]);
  const double cos_gamma = cosine(angles[2]);
  const double sin_gamma = std::sqrt(1.0 - cos_gamma * cos_gamma);
  const double c_y = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
  const double c_z2 = 1.0 - cos_beta * cos_beta - c_y * c_y;
  if (!(c_z2 > 0.0)) {
    throw InputError("box angles " + number_text(angles[0]) + ", " +
                     number_text(angles[1]) + ", " + number_text(angles[2]) +
                     " do not close to a cell");
  }
  return Box(
      {Vec3{lengths[0], 0.0, 0.0},
       Vec3{lengths[1] * cos_gamma, lengths[1] * sin_gamma, 0.0},
       Vec3{lengths[2] * cos_beta, lengths[2] * c_y, lengths[2] * std::sqrt(c_z2)}},
      {true, true, true});
}

Box Box::in_plane(const std::array<Vec3, 3>& edges, Plane plane) {
  const std::size_t normal = normal_axis(plane);
  std::array<Vec3, 3> projected = edges;
  for (Vec3& edge : projected) {
    (normal == 0 ? edge.x : normal == 1 ? edge.y : edge.z) = 0.0;
  }
  projected[normal] = {};
  Box box(projected, {normal != 0, normal != 1, normal != 2});
  const Vec3& a = projected[normal == 0 ? 1 : 0];
  const Vec3& b = projected[normal == 2 ? 1 : 2];
  box.plane_ = plane;
  box.volume_ = length(cross(a, b));
  box.covering_radius_ = starhist::planar_covering_radius(reduced_lattice({a, b}));
  return box;
}

int Box::periodic_axis_count() const {
  return static_cast<int>(std::count(periodic_.begin(), periodic_.end(), true));
}

}  // namespace starhist
