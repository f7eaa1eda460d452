#include "driver/run/exclusions.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

std::string option_of(Exclusion exclusion) {
  return (counts_only_same(exclusion) ? "--only-same " : "--exclude-same ") +
         to_string(compound_of(exclusion));
}

[[noreturn]] void refuse_changing(const HistogramLayout& layout,
                                  const io::TrajectoryInfo& info) {
  const auto changing =
      std::find_if(info.selections.begin(), info.selections.end(),
                   [](const std::string& rule) { return !rule.empty(); });
  const auto species = static_cast<std::size_t>(changing - info.selections.begin());
  throw InputError(option_of(layout.exclusion) +
                   " needs the same particles in all frames, but the species " +
                   info.species[species] + " = '" + *changing +
                   "' is selected in each frame (leave the option out, or select "
                   "without within, beyond, x, y and z)");
}

[[noreturn]] void refuse(const HistogramLayout& layout, const io::TrajectoryInfo& info,
                         const std::string& particles, bool other_known) {
  const Compound compound = compound_of(layout.exclusion);
  const bool molecules = compound == Compound::molecule;
  const std::string option = option_of(layout.exclusion);
  const std::string other = molecules ? "residue" : "molecule";
  const std::string remedy =
      other_known ? "; it specifies " + other + "s: give " +
                        option.substr(0, option.find(' ')) + " " + other
                  : "; a --structure file can specify it: a TPR, PSF or " +
                        std::string(molecules ? "LAMMPS data file" : "GRO");
  throw InputError(join(info.paths, ", ") + ": does not specify which " +
                   to_string(compound) + particles + " (" + option + " needs it" +
                   remedy + ")");
}

SpeciesMembers members_of(const io::SpeciesParticles& particles, Exclusion exclusion) {
  SpeciesMembers members;
  members.particle = particles.particle;
  for (const auto* column :
       {&particles.particle, &particles.residue, &particles.molecule}) {
    if (!column->empty()) {
      members.count = column->size();
    }
  }
  if (exclusion != Exclusion::none) {
    members.compound = compound_of(exclusion) == Compound::residue ? particles.residue
                                                                   : particles.molecule;
  }
  return members;
}

}  // namespace

PairExclusions make_exclusions(const HistogramLayout& layout,
                               const io::TrajectoryInfo& info) {
  const bool with_compounds = layout.exclusion != Exclusion::none;
  if (info.members.empty()) {
    if (with_compounds && !info.selections.empty()) {
      refuse_changing(layout, info);
    }
    if (with_compounds) {
      refuse(layout, info, " each particle belongs to", false);
    }
    return {};
  }
  std::vector<SpeciesMembers> members;
  for (std::size_t s = 0; s < info.members.size(); ++s) {
    members.push_back(members_of(info.members[s], layout.exclusion));
    if (with_compounds && members.back().compound.empty()) {
      refuse(layout, info,
             " each particle of species " + layout.species[s] + " belongs to",
             !(compound_of(layout.exclusion) == Compound::molecule
                   ? info.members[s].residue
                   : info.members[s].molecule)
                  .empty());
    }
  }
  return {layout, members};
}

std::string exclusion_sentence(Exclusion exclusion, std::uint64_t excluded_pairs) {
  const std::string verb = excluded_pairs == 1 ? " is left out" : " are left out";
  if (exclusion == Exclusion::none) {
    return excluded_pairs == 0
               ? ""
               : counted(excluded_pairs, "pair") + " of a particle with itself" + verb;
  }
  const std::string of =
      exclusion == Exclusion::same_residue || exclusion == Exclusion::same_molecule
          ? " of the "
          : " of ";
  return counted(excluded_pairs, "pair") + of + to_string(exclusion) + verb;
}

}  // namespace starhist::driver
