#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::io {

/// Columns of step, time and the parts of a box in a line of numbers.
struct BoxColumns {
  enum class Kind { lengths, lengths_and_angles, vectors };
  Kind kind = Kind::lengths;
  std::optional<std::size_t> step;
  std::optional<std::size_t> time;
  /// Columns of a, b, c, alpha, beta, gamma, or of the nine components of the edge
  /// vectors, row by row. Empty: the component is 0.
  std::array<std::optional<std::size_t>, 9> parts;
  std::optional<std::size_t> volume;
  /// An edge vector of three zeros denotes a non-periodic axis, as in NAMD's .xst.
  bool zero_is_open = false;
  std::size_t count = 0;  ///< number of columns in a line

  /// Returns the box of a line. Throws InputError if the box is invalid, or its volume
  /// differs from the one in the line.
  Box box(const std::vector<double>& numbers) const;
};

/// Returns the columns by their names, in lower case and without units; empty if they
/// include no box. Throws InputError if a form is incomplete.
std::optional<BoxColumns> named_box_columns(const std::vector<std::string>& names);

/// Returns the columns of unnamed lines of `count` numbers: time and 3 or 9 numbers, or
/// CP2K's step, time, 9 numbers and volume. Empty for other counts.
std::optional<BoxColumns> counted_box_columns(std::size_t count);

}  // namespace starhist::io
