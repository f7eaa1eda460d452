#include "io/selection/broken_molecules.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "codelets/core/base/counted_noun.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/whole_compound.hh"
#include "io/particles/particle_compounds.hh"

namespace starhist::io {
namespace {

/// Making a molecule whole takes a time proportional to the square of this.
constexpr std::size_t most_particles = 10000;
/// Sum of these squares after which no more molecules are checked, a few seconds.
constexpr std::size_t most_steps = 500'000'000;

/// All particles of a molecule, or of a residue if molecules are unknown.
struct Molecule {
  std::vector<std::uint32_t> particles;  ///< table indices
  std::vector<Vec3> positions;           ///< in the file
};

/// The molecules with a selected particle.
std::vector<Molecule> molecules_of(const std::vector<SpeciesParticles>& selected,
                                   const ParticleTable& table,
                                   const std::vector<double>& positions,
                                   std::string& kind) {
  const ParticleCompounds compounds(table);
  const auto& number =
      compounds.molecule.empty() ? compounds.residue : compounds.molecule;
  kind = compounds.molecule.empty() ? "residue" : "molecule";
  std::map<std::uint32_t, Molecule> found;
  for (const SpeciesParticles& members : selected) {
    for (const std::uint32_t particle : members.particle) {
      if (particle < number.size()) {
        found[number[particle]];
      }
    }
  }
  for (std::uint32_t particle = 0; particle < number.size(); ++particle) {
    const auto at = found.find(number[particle]);
    if (at != found.end()) {
      const double* p = &positions[3 * std::size_t{particle}];
      at->second.particles.push_back(particle);
      at->second.positions.push_back({p[0], p[1], p[2]});
    }
  }
  std::vector<Molecule> molecules;
  for (auto& [key, molecule] : found) {
    molecules.push_back(std::move(molecule));
  }
  return molecules;
}

std::string particle_text(const ParticleTable& table, std::uint32_t particle) {
  return "particle " + std::to_string(particle + 1) +
         (table.name.empty() ? "" : " (" + table.name[particle] + ")");
}

/// Number of the particle that a boundary cuts off from the first one.
std::optional<std::size_t> cut_off(const Box& box, const Molecule& molecule,
                                   WholeCompound& whole) {
  if (molecule.positions.size() > most_particles) {
    return std::nullopt;
  }
  try {
    const std::vector<Vec3>& from_first = whole.displacements(box, molecule.positions);
    for (std::size_t k = 1; k < from_first.size(); ++k) {
      // Either 0, up to rounding, or a lattice vector.
      const Vec3 shift =
          molecule.positions[k] - molecule.positions.front() - from_first[k];
      if (std::sqrt(dot(shift, shift)) > box.inscribed_radius()) {
        return k;
      }
    }
  } catch (const InputError&) {  // its parts are too far apart to be one molecule
  }
  return std::nullopt;
}

}  // namespace

std::string broken_molecules(const std::vector<SpeciesParticles>& selected,
                             const ParticleTable& table, const Box& box,
                             const std::vector<double>& positions) {
  std::string kind;
  const std::vector<Molecule> molecules =
      molecules_of(selected, table, positions, kind);
  WholeCompound whole;
  std::string first;
  std::uint64_t cut = 0;
  std::uint64_t checked = 0;
  std::size_t steps = 0;
  for (const Molecule& molecule : molecules) {
    const std::size_t size = std::min(molecule.positions.size(), most_particles);
    steps += size * size;
    if (steps > most_steps) {
      break;
    }
    ++checked;
    const auto other = cut_off(box, molecule, whole);
    if (other && cut++ == 0) {
      first = particle_text(table, molecule.particles[*other]) +
              " lies across the boundary from " +
              particle_text(table, molecule.particles.front());
    }
  }
  if (cut == 0) {
    return "";
  }
  return "the boundaries of the file's box cut " + counted(cut, kind) + " of " +
         grouped(checked) + (checked < molecules.size() ? " that were checked" : "") +
         (kind == "molecule" ? ", so their distances without images are wrong ("
                             : ", so their distances without images may be wrong (") +
         first +
         "): make molecules whole before, for example with gmx trjconv -pbc mol or "
         "MDAnalysis.transformations.unwrap, or count with the box";
}

}  // namespace starhist::io
