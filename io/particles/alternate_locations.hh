#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Parses a choice of alternate locations: "first", "all", or a letter. Throws
/// InputError for an empty text or one with blanks.
std::string parse_altloc(const std::string& text);

/// Whether a choice is a letter, not "first" or "all".
bool is_letter_choice(const std::string& choice);

/// The particles that are read from a file with alternate locations of atoms.
struct ChosenLocations {
  std::vector<std::uint32_t> kept;  ///< table indices, ascending
  /// letters that occur, sorted; empty: no alternate locations
  std::vector<std::string> letters;
  std::size_t left_out = 0;  ///< number of locations that are not read
  /// number of atoms, and atoms of residues, with several locations
  std::size_t atoms = 0;
};

/// Chooses among the alternate locations of each atom, and among residues with
/// different names at the same site of a chain. Locations of an atom are particles with
/// letters (column `alternate_location`) and the same name in the same residue.
/// - "first": keeps the first one in the file
/// - "all": keeps all
/// - a letter: keeps the location with this letter, or the first one if the atom lacks
///   it
/// Throws InputError if the letter does not occur although others do, and for
/// contradictory locations: a letter that occurs twice, or a location without a letter.
ChosenLocations choose_locations(const ParticleTable& table, const std::string& choice);

/// Removes all particles except the chosen ones from the table. Returns the remark
/// about removed locations for TrajectoryInfo::remarks; "" if all are kept.
std::string keep_chosen(const ChosenLocations& chosen, const std::string& choice,
                        ParticleTable& table);

}  // namespace starhist::io
