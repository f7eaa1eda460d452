#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/pdb/residue_number.hh"
#include "io/particles/particle_table.hh"

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

/// Records of PDB: lines with a name of up to six columns and fields in fixed columns.

/// Meaning of a record to a reader of positions.
enum class PdbRecord {
  cell,       ///< CRYST1
  scale,      ///< SCALE1, SCALE2, SCALE3
  model,      ///< MODEL
  end,        ///< ENDMDL, END
  chain_end,  ///< TER
  /// MTRIX1, ...: operators for parts of the structure that are not in the file
  copies,
  pdbqt,    ///< of PDBQT only
  known,    ///< other records of PDB, which are irrelevant
  unknown,  ///< not defined by PDB
  misread,  ///< not defined by PDB, but similar to an important record
};

/// Why PDBQT is refused.
inline constexpr const char* pdbqt_problem =
    "is PDBQT, which has charges and types in the columns of segments and elements "
    "(convert it, for example with obabel FILE.pdbqt -O FILE.pdb)";

/// Returns the kind, by name, of a record other than an atom's; `known` for a blank
/// line.
PdbRecord record_of(std::string_view line);

/// Returns the name of a record, in columns 1 to 6, without trailing blanks.
std::string_view record_name(std::string_view line);

/// Whether the record has this name, such as "CRYST1" or "END".
bool is_pdb_record(std::string_view line, std::string_view name);

/// Whether the record is ATOM or HETATM.
bool is_pdb_atom(std::string_view line);

/// Appends x, y and z of an atom [Angstrom], correctly rounded. False for a record
/// without three numbers in their columns; `positions` is then unspecified.
bool add_pdb_position(std::string_view line, std::vector<double>& positions);

/// Appends the names in an atom's record: atom, residue, chain and segment, residue
/// number, insertion code, alternate location and element. Elements are spelled "C" or
/// "Cl"; missing fields are "". Throws InputError if the residue number is missing or
/// invalid.
void add_pdb_names(std::string_view line, PdbResidueNumbers& numbers,
                   ParticleTable& table);

/// Hashes the columns that identify an atom: 13 to 28 and 73 to 80.
std::uint64_t pdb_names_hash(std::string_view line);

/// Whether an atom's record has an alternate location, in column 17.
inline bool has_alternate_location(std::string_view line) {
  constexpr std::size_t column = 16;
  return line.size() > column && line[column] != ' ';
}

}  // namespace starhist::io
