#include "codelets/core/geometry/plane.hh"

#include <charconv>
#include <cmath>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/vec3.hh"

namespace starhist {
namespace {

/// "1,0,-2.5"; empty for other texts.
std::optional<Vec3> parse_vector(const std::string& text) {
  Vec3 vector;
  const char* next = text.data();
  const char* const end = next + text.size();
  for (double* component : {&vector.x, &vector.y, &vector.z}) {
    if (component != &vector.x && (next == end || *next++ != ',')) {
      return std::nullopt;
    }
    const auto [rest, error] = std::from_chars(next, end, *component);
    if (error != std::errc() || !std::isfinite(*component)) {
      return std::nullopt;
    }
    next = rest;
  }
  return next == end ? std::optional(vector) : std::nullopt;
}

}  // namespace

std::string to_string(Plane plane) {
  switch (plane) {
    case Plane::none:
      return "none";
    case Plane::xy:
      return "xy";
    case Plane::xz:
      return "xz";
    case Plane::yz:
      return "yz";
  }
  throw InternalError("unknown plane");
}

Plane parse_plane(const std::string& text) {
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    const std::string name = to_string(plane);
    if (text == name || text == std::string{name[1], name[0]}) {
      return plane;
    }
  }
  if (const std::optional<Vec3> normal = parse_vector(text)) {
    const auto [x, y, z] = *normal;
    const int along = (x != 0.0 ? 1 : 0) + (y != 0.0 ? 1 : 0) + (z != 0.0 ? 1 : 0);
    if (along == 1) {
      return x != 0.0 ? Plane::yz : y != 0.0 ? Plane::xz : Plane::xy;
    }
    throw InputError("'" + text +
                     "' does not lie along an axis, so the box does not repeat "
                     "itself in that plane: rotate the trajectory until the normal "
                     "lies along x, y or z");
  }
  throw InputError("'" + text +
                   "' is not a plane: give xy, xz, yz or a normal along an axis, "
                   "such as 0,0,1");
}

std::size_t normal_axis(Plane plane) {
  switch (plane) {
    case Plane::xy:
      return 2;
    case Plane::xz:
      return 1;
    case Plane::yz:
      return 0;
    case Plane::none:
      break;
  }
  throw InternalError("distances in space have no normal axis");
}

int dimension(Plane plane) {
  return plane == Plane::none ? 3 : 2;
}

}  // namespace starhist
