#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::driver {

/// A box for tests and timings of kernels, and an r_max that fits it.
struct SampleBox {
  std::string name;  ///< "open", "orthorhombic", "triclinic", "triclinic-near", ...
  Box box;
  double r_max = 0.0;
};

/// A box of each kind that kernels treat differently, with edges of about 1. r_max is
/// the largest distance of the box. Exception: "triclinic-near" is the rhombic
/// dodecahedron of "triclinic" with r_max below its rounding radius, where no image
/// search is needed. Of the triclinic boxes only "skewed" has no OrthogonalSublattice.
std::vector<SampleBox> sample_boxes();

/// Names of the sample boxes, in their order.
std::vector<std::string> sample_box_names();

/// The boxes of an option --boxes NAME,...; "": all boxes. Throws InputError for an
/// unknown name.
std::vector<SampleBox> parse_sample_boxes(const std::string& names);

/// x, y, z of `count` particles, uniformly distributed in the parallelepiped of the
/// box's edges, or in a cube of edge 1 for an open box. A seed gives the same positions
/// on every machine.
std::vector<double> random_positions(const Box& box, std::uint64_t count,
                                     std::uint64_t seed);

}  // namespace starhist::driver
