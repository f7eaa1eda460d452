#include "codelets/core/geometry/empty_parts.hh"

#include <algorithm>
#include <cmath>
#include <string>

#include "codelets/core/base/text.hh"
#include "codelets/core/base/vec3.hh"

namespace starhist {
namespace {

constexpr std::size_t fewest = 50;
constexpr std::size_t cells = 1000;

/// Length of the longest run of empty cells on a ring.
std::size_t longest_run(const std::vector<char>& filled) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (std::size_t k = 0; k < 2 * filled.size(); ++k) {
    run = filled[k % filled.size()] != 0 ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  return std::min(longest, filled.size());
}

}  // namespace

std::array<double, 3> empty_parts(const Box& box,
                                  const std::vector<std::vector<double>>& positions) {
  std::size_t particles = 0;
  for (const std::vector<double>& species : positions) {
    particles += species.size() / 3;
  }
  std::array<double, 3> parts{};
  if (!box.has_volume() || box.is_planar() || particles < fewest) {
    return parts;
  }
  const double spacing = std::cbrt(box.volume() / static_cast<double>(particles));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vec3 edge = box.edges()[axis];
    const Vec3 normal = cross(box.edges()[(axis + 1) % 3], box.edges()[(axis + 2) % 3]);
    const Vec3 dual = (1.0 / dot(edge, normal)) * normal;
    const double width = 1.0 / std::sqrt(dot(dual, dual));
    std::vector<char> filled(cells);
    const auto part = [&] {
      const double longest = static_cast<double>(longest_run(filled)) / cells;
      return longest * width > 3.0 * spacing ? longest : 0.0;
    };
    // Further particles only shrink the empty part: the loop ends once it is small.
    std::size_t next_look = 1 << 14;
    std::size_t seen = 0;
    parts[axis] = 1.0;
    for (const std::vector<double>& species : positions) {
      for (std::size_t k = 0; k + 2 < species.size() && parts[axis] != 0.0; k += 3) {
        const double place = dot({species[k], species[k + 1], species[k + 2]}, dual);
        const double fraction = place - std::floor(place);
        filled[std::min(static_cast<std::size_t>(fraction * cells), cells - 1)] = 1;
        if (++seen == next_look) {
          parts[axis] = part();
          next_look *= 2;
        }
      }
    }
    parts[axis] = part();
  }
  return parts;
}

std::string empty_parts_text(const std::array<double, 3>& parts) {
  constexpr double large = 0.2;
  static constexpr const char* remedies[] = {
      "for a slab in vacuum: --open AXES --geometry slab",
      "for a cylinder in vacuum: --open AXES --geometry cylinder",
      "for a droplet: --open AXES --volume V; --box needs the unit of the positions"};
  std::vector<std::string> axes;
  double part = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (parts[k] > large) {
      axes.emplace_back(1, "xyz"[k]);
      part = std::min(part, parts[k]);
    }
  }
  if (axes.empty()) {
    return "";
  }
  std::string remedy = remedies[axes.size() - 1];
  remedy.replace(remedy.find("AXES"), 4, join(axes, ","));
  return "the counted particles leave " + std::to_string(std::lround(100.0 * part)) +
         " % of the box empty along " + join(axes, ", ") +
         ": g(r) is relative to their mean density in the whole box (" + remedy + ")";
}

}  // namespace starhist
