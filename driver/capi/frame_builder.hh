#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/capi/starhist.h"

namespace starhist::capi {

/// Positions in the caller's memory, as float or double.
struct PositionArray {
  const void* data = nullptr;
  bool single = false;  ///< components are float
  std::size_t particles = 0;
  /// Bytes between particles and between components; both 0: contiguous.
  std::ptrdiff_t particle_stride = 0;
  std::ptrdiff_t component_stride = 0;
};

/// Assignment of particles to species.
class Membership {
 public:
  /// All particles are of the one species; with several species the assignment is
  /// unset.
  void clear(std::size_t species);
  /// See starhist_set_labels(). Throws CallError.
  void set_labels(const std::int32_t* labels, std::size_t particles);
  /// See starhist_set_species_counts(). Throws CallError.
  void set_counts(const std::uint64_t* counts, std::size_t species);

  /// Throws CallError unless frames may have this number of particles.
  void check(std::size_t particles) const;
  /// Number of particles of each species in a frame with this number of particles,
  /// which check() has accepted.
  std::vector<std::uint64_t> numbers(std::size_t particles) const;
  /// Species of each particle; -1: not counted.
  const std::vector<std::int32_t>& labels() const { return labels_; }
  bool by_labels() const { return by_labels_; }
  /// Indices of the counted particles, one species after the other; empty: all, in
  /// their order.
  std::vector<std::uint32_t> order() const;
  /// Whether the assignment was made by equal labels, or equal species counts.
  bool same_species(const Membership& other) const {
    return by_labels_ == other.by_labels_ && labels_ == other.labels_ &&
           counts_ == other.counts_;
  }
  /// Changes with every change of the assignment.
  std::uint64_t version() const { return version_; }

 private:
  std::size_t species_ = 1;
  bool by_labels_ = false;
  std::uint64_t version_ = 0;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint64_t> counts_;  ///< by species; empty: any number
};

/// Makes boxes from the caller's numbers.
class BoxBuilder {
 public:
  BoxBuilder() = default;
  explicit BoxBuilder(starhist_box_kind kind) : kind_(kind) {}

  starhist_box_kind kind() const { return kind_; }
  void set_periodic(const std::array<bool, 3>& periodic);
  void set_plane(Plane plane);

  /// The box given by as many numbers as its kind has, projected onto the plane. Throws
  /// CallError.
  const Box& make(const double* numbers);
  /// Period along the normal of the plane of the box that make() has made last
  /// [length]; 0: open along it. Throws CallError if separations along it are not
  /// defined.
  double period() const;

 private:
  starhist_box_kind kind_ = STARHIST_BOX_NONE;
  std::array<bool, 3> periodic_{true, true, true};
  Plane plane_ = Plane::none;
  std::vector<double> numbers_;  ///< numbers that made box_
  Box in_space_;                 ///< before its projection
  Box box_;
};

/// True if no position of `frame` can be too far away for the frame's box and r_max, or
/// for separations along the normal of a plane.
bool all_near(const HistogramLayout& layout, const Frame& frame);

/// Throws CallError if a position of `frame` is not finite, or too far away.
void check_each_position(const Membership& membership, const HistogramLayout& layout,
                         const Frame& frame);

/// Fills the positions of `frame` by species, and their coordinate bound. Throws
/// CallError like check_each_position().
void fill_positions(const PositionArray& array, const Membership& membership,
                    const HistogramLayout& layout, Frame& frame);

/// Throws CallError when r_max is more than twice the largest distance in the box.
void check_range(const HistogramLayout& layout, const Box& box);

}  // namespace starhist::capi
