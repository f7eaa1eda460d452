#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "io/files/parallel_slices.hh"

namespace starhist::io {

/// Fill value of the dataset: a position whose components all have it was never
/// written, and neither was (0, 0, 0).
using FillValue = std::optional<double>;

/// Statistics collected while positions are copied.
struct PositionSummary {
  /// Upper bound of the sum of squared coordinates; not finite if a coordinate is not,
  /// or exceeds 1e150.
  double squares = 0.0;
  /// upper bound of the number of positions that were never written
  std::uint64_t unwritten = 0;

  /// True if check_positions() must examine the positions.
  bool ambiguous() const { return !std::isfinite(squares) || unwritten > 1; }
  /// Returns Frame::coordinate_bound.
  double coordinate_bound() const {
    constexpr double rounded_up = 1.0 + 1e-9;
    return std::isfinite(squares) ? rounded_up * std::sqrt(squares)
                                  : std::numeric_limits<double>::infinity();
  }
};

/// Copies the positions of some particles, converted to double.
///
/// `raw` holds x, y, z of all particles; `members` (ascending) lists the particles to
/// copy; `out` is resized to three times their number. Statistics are added to
/// `summary`. `threads`: see in_parallel_slices().
template <class Real>
void gather_positions(const std::vector<Real>& raw,
                      const std::vector<std::uint32_t>& members, const FillValue& fill,
                      std::vector<double>& out, PositionSummary& summary,
                      std::size_t threads = threads_for_slices());

/// Throws InputError when the position of one of `members` (ascending) is not finite,
/// or when data are missing: all positions, or eight in a row, are zero or fill values.
/// Truncated and padded files look like that; a few particles at the origin are
/// legitimate.
template <class Real>
void check_positions(const std::vector<Real>& raw,
                     const std::vector<std::uint32_t>& members, const FillValue& fill);

/// Returns the indices 0 .. count - 1 of all particles.
std::vector<std::uint32_t> all_particles(std::size_t count);

}  // namespace starhist::io
