#include "codelets/core/geometry/plane.hh"

#include "codelets/core/base/error.hh"

namespace starhist {

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
  if (text.find(',') != std::string::npos) {
    throw InputError("'" + text +
                     "' is a normal vector (only xy, xz and yz are supported): rotate "
                     "the trajectory until the normal lies along x, y or z");
  }
  throw InputError("'" + text + "' is not a plane: give xy, xz or yz");
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
