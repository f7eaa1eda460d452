#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/whole_compound.hh"
#include "io/particles/particle_compounds.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// The centres of those residues or molecules that some particles are of; only these
/// particles count.
class CompoundCentres {
 public:
  /// `particles` of the table, ascending. Throws InputError when the file does not tell
  /// residues, molecules or masses, or when a mass is negative or all are zero.
  CompoundCentres(const ParticleTable& table, const ParticleCompounds& compounds,
                  const std::vector<std::uint32_t>& particles, Centres centres);

  /// The residue or molecule of each centre, in the order of their first particles;
  /// without indices of the centres, which number_centres gives.
  const SpeciesParticles& members() const { return members_; }

  /// Centres in a frame, x, y, z of each. `all` are the positions of the table's
  /// particles. Throws InputError that names the residue or molecule that cannot be
  /// made whole.
  void positions(const Box& box, const std::vector<double>& all,
                 std::vector<double>& out);

  /// What a centre is made of.
  struct Compound {
    std::vector<std::uint32_t> particles;
    std::vector<double> weights;
    std::string name;  ///< "residue 12", for messages
  };
  const std::vector<Compound>& compounds() const { return compounds_; }

 private:
  std::vector<Compound> compounds_;
  SpeciesParticles members_;
  WholeCompound whole_;
  std::vector<Vec3> scratch_;
};

/// Numbers the centres of several species from `first` on, ascending in each. Those of
/// the same particles with the same weights are the same point, and get one number.
std::vector<std::vector<std::uint32_t>> number_centres(
    const std::vector<const CompoundCentres*>& species, std::uint32_t first);

}  // namespace starhist::io
