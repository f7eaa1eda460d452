#pragma once

#include <string>

namespace starhist {

/// Pairs of particles that are excluded according to their compounds.
enum class Exclusion {
  none,
  same_residue,
  same_molecule,
  different_residues,   ///< only pairs of the same residue count
  different_molecules,  ///< only pairs of the same molecule count
};

/// Kind of compound.
enum class Compound { residue, molecule };

/// "residue" or "molecule".
std::string to_string(Compound compound);
/// Throws InputError unless `name` is "residue" or "molecule".
Compound parse_compound(const std::string& name);

/// The exclusion of pairs of the same compound, and of pairs of different ones.
Exclusion exclude_same(Compound compound);
Exclusion only_same(Compound compound);

/// The kind of compound on which the exclusion depends. Throws InternalError for
/// Exclusion::none.
Compound compound_of(Exclusion exclusion);
/// True if only pairs of the same compound count.
bool counts_only_same(Exclusion exclusion);

/// "none", "same residue", "different molecules", ...
std::string to_string(Exclusion exclusion);
/// Throws InputError for a name that to_string() does not return.
Exclusion parse_exclusion(const std::string& name);

}  // namespace starhist
