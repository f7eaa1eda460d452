#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/geometry/box.hh"

namespace starhist::perfmodels {

/// What the time of a counting task depends on, besides the code that runs: the first
/// member of its arguments.
struct WorkSize {
  std::uint64_t pairs = 0;
  /// What the time goes by on CPUs, and on GPUs: in spatial order the pairs that are
  /// expected to be evaluated, or as many as take as long; else all.
  std::uint64_t evaluated = 0;
  std::uint64_t evaluated_by_gpu = 0;
  std::uint32_t bin_count = 0;
  std::uint32_t frame_count = 0;
};

enum class PairKind { like, unlike };

/// Of the particles: in spatial order clusters of them are counted.
enum class Order { any, spatial };

/// Which arithmetic a distance takes.
enum class Geometry {
  open,
  orthorhombic,
  triclinic,      ///< r_max below half the smallest width: rounding finds the image
  triclinic_far,  ///< beyond: images are searched
};

std::string to_string(PairKind pairs);
std::string to_string(Geometry geometry);

/// The geometry of distances below r_max in `box`.
Geometry geometry_of(const Box& box, double r_max);

/// Numbers of bins that are counted about equally fast share their measurements: the
/// smallest of 1000, 10 000, 50 000, 200 000, 1 000 000, ... that is not below `bins`.
std::uint32_t bin_class(std::uint32_t bins);

}  // namespace starhist::perfmodels
