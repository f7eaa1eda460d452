#pragma once

#include <string>

namespace starhist {

/// Which pairs of particles are left out, by the unit that they belong to.
enum class Exclusion {
  none,
  same_residue,
  same_molecule,
  different_residues,   ///< only pairs of the same residue count
  different_molecules,  ///< only pairs of the same molecule count
};

/// Whether a unit is a molecule or a residue.
enum class Compound { residue, molecule };

std::string to_string(Compound compound);
/// Throws InputError unless `name` is "residue" or "molecule".
Compound parse_compound(const std::string& name);

Exclusion exclude_same(Compound compound);
Exclusion only_same(Compound compound);

/// The unit that decides. Not for Exclusion::none.
Compound compound_of(Exclusion exclusion);
bool counts_only_same(Exclusion exclusion);

/// "none", "same residue", "different molecules", ...
std::string to_string(Exclusion exclusion);
/// Throws InputError for a name that to_string does not give.
Exclusion parse_exclusion(const std::string& name);

}  // namespace starhist
