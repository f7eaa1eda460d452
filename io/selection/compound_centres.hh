#pragma once

#include <string>
#include <vector>

#include "codelets/core/molecules/whole_compound.hh"
#include "io/particles/particle_compounds.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// The centres of the residues or molecules of selected particles. Only the selected
/// particles of a compound are included, but all of its particles make it whole. Not
/// thread-safe.
class CompoundCentres {
 public:
  /// `particles`: table indices, ascending; `centres` must differ from Centres::none.
  /// Throws InputError when the file lacks the required residues, molecules or masses,
  /// when a mass is negative or not finite, or when all masses of a compound are 0.
  CompoundCentres(const ParticleTable& table, const ParticleCompounds& compounds,
                  const std::vector<std::uint32_t>& particles, Centres centres);

  /// Residue and molecule of each centre, ordered by first particle.
  /// SpeciesParticles::particle is empty; number_centres() provides it.
  const SpeciesParticles& members() const { return members_; }

  /// Sets `out` to x, y, z of the centres in a frame, not wrapped into the box. `all`:
  /// positions of the table's particles. Throws InputError naming the compound when one
  /// cannot be made whole.
  void positions(const Box& box, const std::vector<double>& all,
                 std::vector<double>& out);

  /// A compound with selected particles.
  struct Compound {
    std::vector<std::uint32_t>
        particles;                ///< the selected ones: table indices, ascending
    std::vector<double> weights;  ///< masses [u], or 1 for centres of geometry
    /// Its other particles: selected ones may be far apart in a whole compound.
    std::vector<std::uint32_t> others;
    std::string name;  ///< "residue 12", for messages
  };
  const std::vector<Compound>& compounds() const { return compounds_; }

 private:
  std::vector<Compound> compounds_;
  SpeciesParticles members_;
  WholeCompound whole_;
  std::vector<Vec3> scratch_;
};

/// Numbers the centres of several species from `first`, ascending in each species:
/// [species][centre]. Centres of the same particles with the same weights coincide and
/// get the same number.
std::vector<std::vector<std::uint32_t>> number_centres(
    const std::vector<const CompoundCentres*>& species, std::uint32_t first);

}  // namespace starhist::io
