#pragma once

#include <string>
#include <vector>

#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// Remedy for an option of gmx rdf, VMD, cpptraj, mdtraj or MDAnalysis, as the end of a
/// message: ": use --begin T" for "b". "" if it is unknown, or if the command with the
/// options `specs` has no counterpart.
std::string foreign_option_hint(const std::string& name,
                                const std::vector<OptionSpec>& specs);

/// End of a message about a word that is not among the choices of an option: ": did you
/// mean coordination?" for "cn"; "" without an idea.
std::string choice_hint(const std::string& word,
                        const std::vector<std::string>& choices);

}  // namespace starhist::driver
