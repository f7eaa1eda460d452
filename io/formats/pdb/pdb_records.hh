#pragma once

#include <string_view>
#include <vector>

#include "io/formats/pdb/residue_number.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Records of PDB: lines with a name of up to six columns and fields in fixed columns.

/// What a record is to a reader of positions.
enum class PdbRecord {
  cell,       ///< CRYST1
  scale,      ///< SCALE1, SCALE2, SCALE3
  model,      ///< MODEL
  end,        ///< ENDMDL, END
  chain_end,  ///< TER
  copies,     ///< MTRIX1, ...: operators for parts of the structure that are not there
  known,      ///< other records of the format and of PDBQT, which cannot matter
  unknown,    ///< not of the format
  misread,    ///< not of the format, but like one of those that matter
};

/// The kind, by its name, of a record that is not an atom's; `known` of a blank line.
PdbRecord record_of(std::string_view line);

/// The name of a record, in columns 1 to 6, without blanks at its end.
std::string_view record_name(std::string_view line);

/// Whether the record is of this name, such as "CRYST1" or "END".
bool is_pdb_record(std::string_view line, std::string_view name);

/// Whether the record is ATOM or HETATM.
bool is_pdb_atom(std::string_view line);

/// Appends x, y and z of an atom [Angstrom], each the double nearest to the record's
/// decimal number. False for a record without three numbers in their columns;
/// `positions` is unspecified then.
bool add_pdb_position(std::string_view line, std::vector<double>& positions);

/// Appends the names of an atom's record: of the atom, its residue, chain and segment,
/// residue number, insertion code, alternate location and element. An element is
/// spelled "C" or "Cl"; what the record does not have is "". Throws InputError for
/// columns that hold no residue number.
void add_pdb_names(std::string_view line, PdbResidueNumbers& numbers,
                   ParticleTable& table);

/// A hash of the columns that name an atom: 13 to 28 and 73 to 80.
std::uint64_t pdb_names_hash(std::string_view line);

/// Whether the atom's record has an alternate location, in column 17.
inline bool has_alternate_location(std::string_view line) {
  constexpr std::size_t column = 16;
  return line.size() > column && line[column] != ' ';
}

}  // namespace starhist::io
