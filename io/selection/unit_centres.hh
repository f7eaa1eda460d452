#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/whole_unit.hh"
#include "io/particles/particle_units.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// The centres of those residues or molecules that some particles are of; only these
/// particles count.
class UnitCentres {
 public:
  /// `particles` of the table, ascending. Throws InputError when the file does not tell
  /// residues, molecules or masses, or when a mass is negative or all are zero.
  UnitCentres(const ParticleTable& table, const ParticleUnits& units,
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
  struct Unit {
    std::vector<std::uint32_t> particles;
    std::vector<double> weights;
    std::string name;  ///< "residue 12", for messages
  };
  const std::vector<Unit>& units() const { return units_; }

 private:
  std::vector<Unit> units_;
  SpeciesParticles members_;
  WholeUnit whole_;
  std::vector<Vec3> scratch_;
};

/// Numbers the centres of several species from `first` on, ascending in each. Those of
/// the same particles with the same weights are the same point, and get one number.
std::vector<std::vector<std::uint32_t>> number_centres(
    const std::vector<const UnitCentres*>& species, std::uint32_t first);

}  // namespace starhist::io
