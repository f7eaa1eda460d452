#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/selection/selection.hh"

namespace starhist::io {

/// Points that stand for the particles of a residue or molecule: the centre of mass,
/// or that of geometry, where all weigh the same.
enum class Centres {
  none,
  residue_mass,
  residue_geometry,
  molecule_mass,
  molecule_geometry
};

/// A rule for a species: species of the file that are taken together as one, or a
/// selection of its particles.
struct SpeciesGroup {
  std::string name;
  std::vector<std::string> members;  ///< of the file; empty where there is a
  std::optional<Selection> selection;
  Centres centres = Centres::none;  ///< of the particles selected
  std::string text;                 ///< the rule without its name
};

/// The rules of ReadOptions::species: "O=1; H=2 3" makes species O of what the file
/// calls 1, and H of 2 and 3; "OW=name OW; W=res_com of resname SOL" look at particles
/// (selection_parser.hh). Throws InputError that shows where, for text that is no rule,
/// and when a name stands twice.
std::vector<SpeciesGroup> parse_species_groups(const std::string& rules);

/// Whether the rules need the particles one by one; else whole species of the file are
/// put together, each in one group at most.
bool need_particles(const std::vector<SpeciesGroup>& groups);

}  // namespace starhist::io
