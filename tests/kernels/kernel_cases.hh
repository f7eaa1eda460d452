#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/boxes.hh"

namespace starhist::testing {

/// A box and an r_max, and the CPU loop expected to count there.
struct KernelCase {
  std::string name;
  Box box;
  double r_max = 0.0;
  std::string metric;  ///< "diagonal", ...
  /// Up to this number of bins the fast loop must run, not the definition.
  std::uint32_t fast_bins = 0;
};

/// Every box, with an r_max beyond half its width, where few pairs are out of range;
/// triclinic ones also with an r_max below, where no image search is needed.
inline std::vector<KernelCase> kernel_cases() {
  std::vector<KernelCase> cases;
  for (const auto& [name, box] : test_boxes()) {
    const double far = box.has_volume() ? 0.95 * box.covering_radius() : 1.1;
    if (box.kind() == BoxKind::triclinic) {
      const double near = 0.99 * box.rounding_radius();
      cases.push_back({name + ", far", box, far, "searched", 10'000});
      cases.push_back({name + ", near", box, near, "triangular", 30'000});
    } else {
      const bool cubic =
          name == "open" || name == "cubic" || name == "left-handed cubic";
      cases.push_back({name, box, far, cubic ? "isotropic" : "diagonal", 300'000});
    }
  }
  return cases;
}

}  // namespace starhist::testing
