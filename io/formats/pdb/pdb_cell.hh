#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace starhist::io {

/// The cell of a PDB file: its CRYST1 record, and SCALE1 to SCALE3, which state how the
/// cell lies.
struct PdbCell {
  std::string record;  ///< CRYST1; "": none
  /// SCALE1 to SCALE3, from Angstrom to fractions of the cell; "": none.
  std::array<std::string, 3> scale;

  bool operator==(const PdbCell&) const = default;
};

/// Whether two CRYST1 records are of the same cell, however they are written. False
/// unless both are cells.
bool is_same_cell(std::string_view a, std::string_view b);

/// The box of a cell, rows are the edges [Angstrom]: a along x, b in the plane of x and
/// y. All zero without a CRYST1 record, for a = 0 and for the cell of 1 Angstrom that
/// stands for no cell, because PDB demands one. Throws InputError for a record without
/// lengths and angles of a cell, for pbc = screw, and where SCALE places the cell
/// otherwise.
void read_pdb_cell(const PdbCell& cell, double (&edges)[9]);

/// The space group of a CRYST1 record with operators of symmetry, such as "P 21 21 21";
/// "" for none and for P 1.
std::string space_group_of(std::string_view record);

}  // namespace starhist::io
