#pragma once

#include <string_view>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Records of PDB: lines with a name of up to six columns and fields in fixed columns.

/// Whether the record is of this name, such as "CRYST1" or "END".
bool is_pdb_record(std::string_view line, std::string_view name);

/// Whether the record is ATOM or HETATM.
bool is_pdb_atom(std::string_view line);

/// Appends x, y and z of an atom [Angstrom], each the double nearest to the record's
/// decimal number. False for a record without three numbers in their columns;
/// `positions` is unspecified then.
bool add_pdb_position(std::string_view line, std::vector<double>& positions);

/// Appends atom name, residue name, residue number and element of an atom's record. An
/// element is spelled "C" or "Cl"; "" where the record has none.
void add_pdb_names(std::string_view line, ParticleTable& table);

/// The box of a CRYST1 record, rows are the edges [Angstrom]: a along x, b in the plane
/// of x and y. All zero for a = 0 and for the cell of 1 Angstrom that stands for no
/// cell, as PDB demands one. Throws InputError for a record without lengths and angles
/// of a cell, and for pbc = screw.
void read_pdb_cell(std::string_view line, double (&edges)[9]);

}  // namespace starhist::io
