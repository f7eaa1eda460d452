#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codelets/core/geometry/box.hh"
#include "io/reader/unit_cell.hh"

namespace starhist::io {

/// Cell and units in a comment of i-PI, "# CELL(abcABC): 35.2 35.2 35.2 90 90 90  Step:
/// 0  Bead: 0 positions{angstrom}  cell{angstrom}".
struct IpiComment {
  UnitCell cell{};        ///< lengths [cell_unit] and angles [degrees]
  std::string unit;       ///< of positions: "A", "bohr", ...
  std::string cell_unit;  ///< of `cell`

  /// The cell in the unit of the positions. Throws InputError for an invalid cell.
  Box box() const;
};

/// Empty for other comments, and for those without units, of earlier versions of i-PI.
/// Throws InputError if the cell does not have six numbers, for an unknown unit, and if
/// the file has other quantities than positions, such as velocities.
std::optional<IpiComment> parse_ipi_comment(std::string_view line);

}  // namespace starhist::io
