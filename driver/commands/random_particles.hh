#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::driver {

/// A box to test and time kernels with, and an r_max that fits it.
struct SampleBox {
  std::string name;  ///< "open", "orthorhombic", "triclinic", "triclinic-near", ...
  Box box;
  double r_max = 0.0;
};

/// One of each kind that kernels treat differently, with edges of about 1: distances
/// reach r_max. "triclinic" goes to the farthest corner of a rhombic dodecahedron,
/// "triclinic-near" stays below half its width, where no image search is needed.
std::vector<SampleBox> sample_boxes();

/// Names of the sample boxes, in their order.
std::vector<std::string> sample_box_names();

/// The boxes of an option --boxes NAME,...: all if `names` is empty. Throws InputError.
std::vector<SampleBox> parse_sample_boxes(const std::string& names);

/// `count` particles, uniform in the unit cube of the box's edges (or in a cube of
/// edge 1), x, y, z of each. The same for the same seed, everywhere.
std::vector<double> random_positions(const Box& box, std::uint64_t count,
                                     std::uint64_t seed);

}  // namespace starhist::driver
