#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::io {

/// Where a line of numbers has step, time and the parts of a box.
struct BoxColumns {
  enum class Kind { lengths, lengths_and_angles, vectors };
  Kind kind = Kind::lengths;
  std::optional<std::size_t> step;
  std::optional<std::size_t> time;
  /// Columns of a, b, c, then alpha, beta, gamma; or of the nine components of the edge
  /// vectors, row by row. Nothing: the component is 0.
  std::array<std::optional<std::size_t>, 9> parts;
  std::optional<std::size_t> volume;
  /// An edge vector of three zeros is an axis that is not periodic, as in NAMD's .xst.
  bool zero_is_open = false;
  std::size_t count = 0;  ///< columns of a line

  /// The box of a line. Throws InputError where it is none, or has another volume than
  /// the line states.
  Box box(const std::vector<double>& numbers) const;
};

/// The columns by their names, lower case, without units. Nothing if no box is among
/// them. Throws InputError where some, but not all names of a form are there.
std::optional<BoxColumns> named_box_columns(const std::vector<std::string>& names);

/// The columns of lines of `count` numbers without names: time and 3 or 9 numbers, or
/// CP2K's step, time, 9 numbers and volume. Nothing for other numbers.
std::optional<BoxColumns> counted_box_columns(std::size_t count);

}  // namespace starhist::io
