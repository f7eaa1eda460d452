#include "codelets/core/geometry/wigner_seitz.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"

namespace starhist {
namespace {

/// A point of a face, in coordinates relative to the foot of the perpendicular.
struct Point {
  double u;
  double w;
};

/// The part of a convex polygon where a u + b w <= c (Sutherland and Hodgman, Commun.
/// ACM 17, 32 (1974)).
std::vector<Point> cut(const std::vector<Point>& polygon, double a, double b,
                       double c) {
  std::vector<Point> kept;
  const auto beyond = [&](const Point& p) { return a * p.u + b * p.w - c; };
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point& p = polygon[k];
    const Point& q = polygon[(k + 1) % polygon.size()];
    const double p_beyond = beyond(p);
    const double q_beyond = beyond(q);
    if (p_beyond <= 0.0) {
      kept.push_back(p);
    }
    if ((p_beyond < 0.0 && q_beyond > 0.0) || (p_beyond > 0.0 && q_beyond < 0.0)) {
      const double t = p_beyond / (p_beyond - q_beyond);
      kept.push_back({p.u + t * (q.u - p.u), p.w + t * (q.w - p.w)});
    }
  }
  return kept;
}

/// The seven pairs of vectors that can be perpendicular to a face: sums of the vectors
/// of an obtuse superbase (minimum_image.hh).
std::vector<Vec3> facet_vectors(const MinimumImage& image) {
  const auto& b = image.edge;
  std::vector<Vec3> facets{
      b[0], b[1], b[2], b[0] + b[1], b[0] + b[2], b[1] + b[2], b[0] + b[1] + b[2]};
  for (std::size_t k = 0; k < 7; ++k) {
    facets.push_back(-1.0 * facets[k]);
  }
  return facets;
}

}  // namespace

WignerSeitzCell::WignerSeitzCell(const Box& box) {
  if (!box.has_volume()) {
    throw InternalError("the Wigner-Seitz cell of a box that is not periodic");
  }
  const std::vector<Vec3> facets = facet_vectors(box.minimum_image());
  for (std::size_t k = 0; k < facets.size() / 2; ++k) {
    add_face(facets, k);  // the face of -facets[k] has the same shape
  }
}

void WignerSeitzCell::add_face(const std::vector<Vec3>& facets, std::size_t own) {
  const Vec3 normal = facets[own];
  const double length = std::sqrt(dot(normal, normal));
  const Vec3 n = (1.0 / length) * normal;
  const Vec3 axis = std::abs(n.x) < 0.6   ? Vec3{1, 0, 0}
                    : std::abs(n.y) < 0.6 ? Vec3{0, 1, 0}
                                          : Vec3{0, 0, 1};
  Vec3 u = cross(n, axis);
  u = (1.0 / std::sqrt(dot(u, u))) * u;
  const Vec3 w = cross(n, u);
  double far = 0.0;
  for (const Vec3& facet : facets) {
    far = std::max(far, dot(facet, facet));
  }
  far = 4.0 * std::sqrt(far);
  std::vector<Point> face{{-far, -far}, {far, -far}, {far, far}, {-far, far}};
  for (std::size_t k = 0; k < facets.size(); ++k) {
    if (k != own) {
      const double c = 0.5 * (dot(facets[k], facets[k]) - dot(normal, facets[k]));
      face = cut(face, dot(u, facets[k]), dot(w, facets[k]), c);
    }
  }
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Point p = face[k];
    const Point q = face[(k + 1) % face.size()];
    const double edge = std::hypot(q.u - p.u, q.w - p.w);
    if (edge < 1e-14 * length) {
      continue;
    }
    const double leg = (p.u * q.w - p.w * q.u) / edge;
    if (std::abs(leg) < 1e-14 * length) {
      continue;
    }
    const auto along = [&](const Point& point) {
      return (point.u * (q.u - p.u) + point.w * (q.w - p.w)) / edge;
    };
    for (const auto& [end, sign] : {std::pair(along(q), 1.0), {along(p), -1.0}}) {
      const double turned = (leg > 0.0) == (end > 0.0) ? sign : -sign;
      triangles_.push_back({0.5 * length, std::abs(leg),
                            std::atan2(std::abs(end), std::abs(leg)), turned});
    }
  }
}

/// With polar coordinates s and phi around the foot in the plane of the face, the
/// element of solid angle is h s ds dphi / (h^2 + s^2)^(3/2). A ray ends at the face or
/// at the surface of the ball, whichever comes first. Both integrals have closed forms;
/// phi_c is the angle at which the ball leaves the triangle.
double WignerSeitzCell::ball_volume(const Triangle& triangle, double r) {
  const auto [h, e, phi, sign] = triangle;
  const double r3 = r * r * r / 3.0;
  const auto outside = [&, h = h, e = e](double angle) {
    return std::asin(h * std::sin(angle) / std::sqrt(h * h + e * e));
  };
  if (r <= h) {
    return r3 * (phi - outside(phi));
  }
  const double s2 = (r - h) * (r + h);
  const double s = std::sqrt(s2);
  const double phi_c = s > e ? std::min(std::acos(e / s), phi) : 0.0;
  const double within = h * e * e / 6.0 * std::tan(phi_c);
  return within + (h * s2 / 6.0 + r3 * h / r) * (phi - phi_c) -
         r3 * (outside(phi) - outside(phi_c));
}

double WignerSeitzCell::ball_volume(double r) const {
  if (!(r > 0.0)) {
    return 0.0;
  }
  double half = 0.0;
  for (const Triangle& triangle : triangles_) {
    half += triangle.sign * ball_volume(triangle, r);
  }
  return 2.0 * half;
}

}  // namespace starhist
