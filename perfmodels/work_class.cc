#include "perfmodels/work_class.hh"

#include <cmath>
#include <limits>

#include "codelets/core/geometry/orthogonal_sublattice.hh"

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
    case Geometry::triclinic_centred:
      return "triclinic_centred";
  }
  return "unknown";
}

bool is_far(const Box& box, double r_max) {
  return box.kind() == BoxKind::triclinic &&
         r_max >= std::sqrt(box.minimum_image().exact_rounding_r2);
}

Geometry geometry_of(const Box& box, const BinScale& bins) {
  switch (box.kind()) {
    case BoxKind::open:
      return Geometry::open;
    case BoxKind::orthorhombic:
      return Geometry::orthorhombic;
    case BoxKind::triclinic:
      break;
  }
  if (!is_far(box, bins.r_max)) {
    return Geometry::triclinic;
  }
  return orthogonal_sublattice(box.minimum_image(),
                               most_deviation_in_bins / bins.inverse_width)
             ? Geometry::triclinic_centred
             : Geometry::triclinic_far;
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
