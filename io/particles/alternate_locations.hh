#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// `text` as a choice of alternate locations: "first", "all", or the letter of one.
/// Throws InputError for an empty text and for one with blanks.
std::string parse_altloc(const std::string& text);

/// Whether a choice is that of one letter.
bool is_letter_choice(const std::string& choice);

/// The particles that are read of a file with alternate locations of atoms.
struct ChosenLocations {
  std::vector<std::uint32_t> kept;   ///< numbers in the table, ascending
  std::vector<std::string> letters;  ///< those that occur, sorted; none: no locations
  std::size_t left_out = 0;          ///< locations that are not read
  std::size_t atoms = 0;             ///< atoms and residues' atoms that have several
};

/// Chooses among locations of one atom, which are lettered particles of the table
/// (column `alternate_location`) with the same name in the same residue, and among
/// residues of different names at the same place of a chain:
/// * first: the first one in the file;
/// * all: every one;
/// * a letter: the one with this letter, or the first one where there is none.
/// Throws InputError where the letter does not occur although others do, and where
/// locations contradict each other: the same letter twice, or one without a letter.
ChosenLocations choose_locations(const ParticleTable& table, const std::string& choice);

/// Leaves only the chosen particles in the table. Returns the sentence about those that
/// are left out, for TrajectoryInfo::remarks; "" where there are none.
std::string keep_chosen(const ChosenLocations& chosen, const std::string& choice,
                        ParticleTable& table);

}  // namespace starhist::io
