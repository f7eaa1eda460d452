#include "perfmodels/work_class.hh"

#include <cmath>
#include <limits>

namespace starhist::perfmodels {

std::string to_string(PairKind pairs) {
  return pairs == PairKind::like ? "like" : "unlike";
}

std::string to_string(Geometry geometry) {
  switch (geometry) {
    case Geometry::open:
      return "open";
    case Geometry::orthorhombic:
      return "orthorhombic";
    case Geometry::triclinic:
      return "triclinic";
    case Geometry::triclinic_far:
      return "triclinic_far";
  }
  return "unknown";
}

Geometry geometry_of(const Box& box, double r_max) {
  switch (box.kind()) {
    case BoxKind::open:
      return Geometry::open;
    case BoxKind::orthorhombic:
      return Geometry::orthorhombic;
    case BoxKind::triclinic:
      break;
  }
  const bool far = r_max >= std::sqrt(box.minimum_image().exact_rounding_r2);
  return far ? Geometry::triclinic_far : Geometry::triclinic;
}

std::uint32_t bin_class(std::uint32_t bins) {
  for (const std::uint32_t most :
       {1000U, 10'000U, 50'000U, 200'000U, 1'000'000U, 10'000'000U, 100'000'000U}) {
    if (bins <= most) {
      return most;
    }
  }
  return std::numeric_limits<std::uint32_t>::max();
}

}  // namespace starhist::perfmodels
