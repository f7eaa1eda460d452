#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/selection/selection.hh"

namespace starhist::io {

/// Compound centres that replace the selected particles of a residue or molecule:
/// centre of mass, or centre of geometry (equal weights).
enum class Centres {
  none,
  residue_mass,
  residue_geometry,
  molecule_mass,
  molecule_geometry
};

/// A rule that defines a species: combined species of the file, or a selection of
/// particles.
struct SpeciesGroup {
  std::string name;
  /// species of the file; empty if there is a selection
  std::vector<std::string> members;
  std::optional<Selection> selection;
  Centres centres = Centres::none;  ///< replace the selected particles by centres
  std::string text;                 ///< the rule without the name of the species
};

/// Meaning of a name in a rule without a selection.
enum class RuleNames {
  species,  ///< a species of the file; "1*3" denotes several numeric species
  groups    ///< a group of the index file; "SOL" is short for "SOL=SOL"
};

/// Parses ReadOptions::species. "O=1; H=2 3" combines the file's species 1 to O, and 2
/// and 3 to H; "OW=name OW; W=res_com of resname SOL" selects particles
/// (selection_parser.hh). Throws InputError with the position for invalid text, and
/// when two rules have the same name.
std::vector<SpeciesGroup> parse_species_groups(const std::string& rules,
                                               RuleNames names = RuleNames::species);

/// Returns a species with the particles of an index-file group.
SpeciesGroup species_of_group(const std::string& name);

/// Whether the rules need individual particles: one selects some, or a species of the
/// file occurs twice. Otherwise they combine whole species.
bool need_particles(const std::vector<SpeciesGroup>& groups);

}  // namespace starhist::io
