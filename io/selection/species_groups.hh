#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/selection/selection.hh"

namespace starhist::io {

/// Compound centres that replace the selected particles of a residue or molecule:
/// centre of mass, or centre of geometry, where all particles have the same weight.
enum class Centres {
  none,
  residue_mass,
  residue_geometry,
  molecule_mass,
  molecule_geometry
};

/// A rule for a species: species of the file that are combined, or a selection of
/// particles.
struct SpeciesGroup {
  std::string name;
  std::vector<std::string> members;  ///< species of the file; empty with a selection
  std::optional<Selection> selection;
  Centres centres = Centres::none;  ///< of the selected particles
  std::string text;                 ///< the rule without its name
};

/// What a name in a rule without a selection is.
enum class RuleNames {
  species,  ///< a species of the file; "1*3" stands for several that are numbers
  groups    ///< a group of the index file; "SOL" is short for "SOL=SOL"
};

/// The rules of ReadOptions::species. "O=1; H=2 3" makes species O of the file's
/// species 1, and H of 2 and 3; "OW=name OW; W=res_com of resname SOL" selects
/// particles (selection_parser.hh). Throws InputError, with the position, for text that
/// is no rule, and when two rules have the same name.
std::vector<SpeciesGroup> parse_species_groups(const std::string& rules,
                                               RuleNames names = RuleNames::species);

/// A species of the particles of a group of the index file.
SpeciesGroup species_of_group(const std::string& name);

/// Whether the rules need single particles: they select some, or use a species of the
/// file twice. Otherwise they combine whole species.
bool need_particles(const std::vector<SpeciesGroup>& groups);

}  // namespace starhist::io
