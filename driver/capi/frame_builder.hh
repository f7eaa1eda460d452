#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/capi/starhist.h"

namespace starhist::capi {

/// Positions in memory of a caller, of float or double.
struct PositionArray {
  const void* data = nullptr;
  bool single = false;  ///< float
  std::size_t particles = 0;
  /// Bytes between particles and between components; both 0: without gaps.
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
};

/// Which particles are of which species.
class Membership {
 public:
  /// All of the one species, or, with several, none is known.
  void clear(std::size_t species);
  /// As starhist_set_labels(). Throws CallError.
  void set_labels(const std::int32_t* labels, std::size_t particles);
  /// As starhist_set_species_counts(). Throws CallError.
  void set_counts(const std::uint64_t* counts, std::size_t species);

  /// Throws CallError unless frames may have this number of particles.
  void check(std::size_t particles) const;
  /// Particles of each species, for a frame with this number, which has been checked.
  std::vector<std::uint64_t> numbers(std::size_t particles) const;
  /// Species of a particle; -1: not counted.
  const std::vector<std::int32_t>& labels() const { return labels_; }
  bool by_labels() const { return by_labels_; }
  /// Numbers of the particles that count, one species after the other; empty: all, in
  /// their order.
  std::vector<std::uint32_t> order() const;
  /// A number that is another one after each change.
  std::uint64_t version() const { return version_; }

 private:
  std::size_t species_ = 1;
  bool by_labels_ = false;
  std::uint64_t version_ = 0;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint64_t> counts_;  ///< by species; empty: any number
};

/// Makes boxes from numbers of a caller.
class BoxBuilder {
 public:
  BoxBuilder() = default;
  explicit BoxBuilder(starhist_box_kind kind) : kind_(kind) {}

  starhist_box_kind kind() const { return kind_; }
  void set_periodic(const std::array<bool, 3>& periodic);

  /// The box of as many numbers as the kind has. Throws CallError.
  const Box& make(const double* numbers);

 private:
  starhist_box_kind kind_ = STARHIST_BOX_NONE;
  std::array<bool, 3> periodic_{true, true, true};
  std::vector<double> numbers_;  ///< of box_
  Box box_;
};

/// Throws CallError when a position of `frame` is not finite, or too far away for the
/// box of the frame and r_max.
void check_each_position(const Membership& membership, const HistogramLayout& layout,
                         const Frame& frame);

/// Fills positions of `frame` by species and their coordinate bound. Throws CallError
/// as check_each_position() does.
void fill_positions(const PositionArray& array, const Membership& membership,
                    const HistogramLayout& layout, Frame& frame);

/// Throws CallError when r_max is more than twice the largest distance in the box.
void check_range(const HistogramLayout& layout, const Box& box);

}  // namespace starhist::capi
