#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/whole_compound.hh"
#include "io/particles/particle_compounds.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// The centres of the residues or molecules of selected particles. Only the selected
/// particles of a compound count. Not thread-safe.
class CompoundCentres {
 public:
  /// `particles` are numbers in the table, ascending; `centres` is not Centres::none.
  /// Throws InputError when the file does not have the residues, molecules or masses
  /// that are needed, when a mass is negative or not finite, or when all masses of a
  /// compound are 0.
  CompoundCentres(const ParticleTable& table, const ParticleCompounds& compounds,
                  const std::vector<std::uint32_t>& particles, Centres centres);

  /// The residue and molecule of each centre, in the order of their first particles.
  /// SpeciesParticles::particle is empty; number_centres() gives it.
  const SpeciesParticles& members() const { return members_; }

  /// Sets `out` to x, y, z of the centres in a frame, not wrapped. `all` has the
  /// positions of the table's particles. Throws InputError, with the name of the
  /// compound, when one cannot be made whole.
  void positions(const Box& box, const std::vector<double>& all,
                 std::vector<double>& out);

  /// The selected particles of a compound.
  struct Compound {
    std::vector<std::uint32_t> particles;  ///< numbers in the table, ascending
    std::vector<double> weights;           ///< masses [u], or 1 each
    std::string name;                      ///< "residue 12", for messages
  };
  const std::vector<Compound>& compounds() const { return compounds_; }

 private:
  std::vector<Compound> compounds_;
  SpeciesParticles members_;
  WholeCompound whole_;
  std::vector<Vec3> scratch_;
};

/// Numbers of the centres of several species, from `first` on and ascending in each
/// species: [species][centre]. Centres of the same particles with the same weights are
/// the same point and get the same number.
std::vector<std::vector<std::uint32_t>> number_centres(
    const std::vector<const CompoundCentres*>& species, std::uint32_t first);

}  // namespace starhist::io
