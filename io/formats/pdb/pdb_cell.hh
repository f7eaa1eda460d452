#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace starhist::io {

/// The cell of a PDB file: its CRYST1 record, and SCALE1 to SCALE3, which define its
/// orientation.
struct PdbCell {
  std::string record;  ///< CRYST1; "": missing
  /// SCALE1 to SCALE3, from Angstrom to fractions of the cell; "": missing.
  std::array<std::string, 3> scale;

  bool operator==(const PdbCell&) const = default;
};

/// Whether two CRYST1 records define the same cell, whatever their formatting. False
/// unless both are cells.
bool is_same_cell(std::string_view a, std::string_view b);

/// Sets `edges` (rows) from a cell [Angstrom]: a along x, b in the xy plane. All zero
/// without a CRYST1 record, for a = 0, and for the cell of 1 Angstrom, a placeholder
/// for "no cell" because PDB requires one. Throws InputError for invalid lengths or
/// angles, for pbc = screw, and if SCALE contradicts the cell.
void read_pdb_cell(const PdbCell& cell, double (&edges)[9]);

/// Returns the space group of a CRYST1 record if it has symmetry operators, such as "P
/// 21 21 21"; otherwise "".
std::string space_group_of(std::string_view record);

}  // namespace starhist::io
