#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "io/files/parallel_slices.hh"

namespace starhist::io {

/// What a position that was never written reads as, beside (0, 0, 0): the fill value
/// of the dataset in all three components.
using FillValue = std::optional<double>;

/// What was seen while positions were copied.
struct PositionSummary {
  /// Sum of the squared coordinates, or more; not finite where a coordinate is not, or
  /// beyond 1e150.
  double squares = 0.0;
  std::uint64_t unwritten = 0;  ///< positions that may never have been written

  /// True if check_positions must look closer.
  bool ambiguous() const { return !std::isfinite(squares) || unwritten > 1; }
  /// Frame::coordinate_bound.
  double coordinate_bound() const {
    constexpr double rounded_up = 1.0 + 1e-9;
    return std::isfinite(squares) ? rounded_up * std::sqrt(squares)
                                  : std::numeric_limits<double>::infinity();
  }
};

/// Copies the positions of some particles, converted to double.
///
/// `raw` holds x, y, z of all particles, `members` (ascending) those to copy; `out` is
/// resized to three times their number. What is seen is added to `summary`.
/// `threads`: in_parallel_slices().
template <class Real>
void gather_positions(const std::vector<Real>& raw,
                      const std::vector<std::uint32_t>& members, const FillValue& fill,
                      std::vector<double>& out, PositionSummary& summary,
                      std::size_t threads = threads_for_slices());

/// Throws InputError when the position of one of `members` (ascending) is not finite,
/// or when data are lost: all of them, or eight in a row, read as never written. This
/// is what a truncated and padded file looks like; a few coincident particles at the
/// origin are not.
template <class Real>
void check_positions(const std::vector<Real>& raw,
                     const std::vector<std::uint32_t>& members, const FillValue& fill);

/// The numbers 0 .. count - 1: all particles.
std::vector<std::uint32_t> all_particles(std::size_t count);

}  // namespace starhist::io
