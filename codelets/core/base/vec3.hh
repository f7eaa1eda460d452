#pragma once

#include <cmath>

#include "codelets/core/base/ieee.hh"

namespace starhist {

/// Three Cartesian components in the trajectory's length unit.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  STARHIST_HOST_DEVICE friend Vec3 operator+(Vec3 u, Vec3 v) {
    return {u.x + v.x, u.y + v.y, u.z + v.z};
  }
  STARHIST_HOST_DEVICE friend Vec3 operator-(Vec3 u, Vec3 v) {
    return {u.x - v.x, u.y - v.y, u.z - v.z};
  }
  STARHIST_HOST_DEVICE friend Vec3 operator*(double s, Vec3 v) {
    return {s * v.x, s * v.y, s * v.z};
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// Scalar product with a fixed order of IEEE operations: one product, two fused
/// multiply-adds. The defining function is built on it, so the order is part of
/// the counting contract.
STARHIST_HOST_DEVICE double dot(Vec3 u, Vec3 v) {
  return fused(u.z, v.z, fused(u.y, v.y, u.x * v.x));
}

inline double length(Vec3 v) {
  return std::sqrt(dot(v, v));
}

/// v - n * e with one rounding per component.
STARHIST_HOST_DEVICE Vec3 shifted(Vec3 v, double n, Vec3 e) {
  return {fused(-n, e.x, v.x), fused(-n, e.y, v.y), fused(-n, e.z, v.z)};
}

STARHIST_HOST_DEVICE Vec3 cross(Vec3 u, Vec3 v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

}  // namespace starhist
