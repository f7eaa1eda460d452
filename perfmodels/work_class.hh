#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/box.hh"

namespace starhist::perfmodels {

/// Size of a counting task, from which its time is predicted. The first member of the
/// task's arguments.
struct WorkSize {
  std::uint64_t pairs = 0;  ///< number of pairs to count
  /// Expected number of evaluated pairs on a CPU and on a GPU, to which the time is
  /// proportional: all pairs in any order; in spatial order without those whose
  /// clusters are out of range, and with pairs weighted by their cost.
  std::uint64_t evaluated = 0;
  std::uint64_t evaluated_by_gpu = 0;
  std::uint32_t bin_count = 0;
  std::uint32_t frame_count = 0;
};

/// Like pairs are of one species, unlike pairs of two.
enum class PairKind { like, unlike };

/// Order of the particles of a task.
enum class Order {
  any,
  spatial  ///< spatial order: clusters are counted
};

/// Class of boxes and r_max whose distances need the same arithmetic.
enum class Geometry {
  open,
  orthorhombic,
  triclinic,      ///< r_max below the rounding radius: rounding finds the image
  triclinic_far,  ///< r_max beyond it: images are searched
  /// Like triclinic_far, but the lattice has an OrthogonalSublattice: GPUs try only two
  /// images.
  triclinic_centred,
};

/// True for triclinic boxes and r_max beyond the rounding radius.
constexpr bool is_far(Geometry geometry) {
  return geometry == Geometry::triclinic_far || geometry == Geometry::triclinic_centred;
}

/// Names as in model symbols, such as "triclinic_far".

std::string to_string(PairKind pairs);
std::string to_string(Geometry geometry);

/// True if `box` is triclinic and r_max is beyond its rounding radius.
bool is_far(const Box& box, double r_max);

/// The geometry of distances in `box` that are counted in `bins`.
Geometry geometry_of(const Box& box, const BinScale& bins);

/// Class of numbers of bins that are counted about equally fast and share measurements:
/// the smallest of 1000, 10 000, 50 000, 200 000, 10^6, 10^7, 10^8 that is not below
/// `bins`, or 2^32 - 1.
std::uint32_t bin_class(std::uint32_t bins);

/// Basis of the predicted speed of a kind of worker.
enum class SpeedSource {
  history,      ///< StarPU's history of this work
  this_run,     ///< tasks of this run
  other_order,  ///< StarPU's history of the same work in the other order of particles
  properties    ///< the properties of a GPU, or the usual speed of a processor
};

/// True if the speed was measured for this work.
constexpr bool is_measured(SpeedSource source) {
  return source == SpeedSource::history || source == SpeedSource::this_run;
}

}  // namespace starhist::perfmodels
