#include "io/selection/broken_molecules.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/shortest_displacement.hh"
#include "codelets/core/molecules/whole_compound.hh"
#include "io/particles/particle_compounds.hh"

namespace starhist::io {
namespace {

/// Making a molecule whole takes a time proportional to the square of this.
constexpr std::size_t most_particles = 10000;
/// Sum of these squares after which no more molecules are checked, a few seconds.
constexpr std::size_t most_steps = 500'000'000;

/// All particles of a molecule, or of a residue if molecules are unknown.
struct Molecule {
  std::uint32_t number = 0;              ///< in the table
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
    molecule.number = key;
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

/// Largest distance of a particle of the residue from its nearest one; 0 for a residue
/// of one particle.
double longest_nearest(const Box& box, const Molecule& residue) {
  double longest = 0.0;
  for (const Vec3 a : residue.positions) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& b : residue.positions) {
      const Vec3 apart = shortest_displacement(box.minimum_image(), a, b);
      const double r2 = dot(apart, apart);
      nearest = r2 > 0.0 ? std::min(nearest, r2) : nearest;
    }
    longest = std::max(longest, std::isfinite(nearest) ? nearest : 0.0);
  }
  return std::sqrt(longest);
}

/// Two particles, by their numbers in the table.
using Bond = std::pair<std::uint32_t, std::uint32_t>;

/// The nearest particles of two consecutive residues if they are as close as bonded
/// ones, and a boundary lies between them.
std::optional<Bond> cut_bond(const Box& box, const Molecule& a, const Molecule& b) {
  if (b.number != a.number + 1 ||
      a.positions.size() * b.positions.size() > most_particles) {
    return std::nullopt;
  }
  Bond nearest;
  double least = std::numeric_limits<double>::infinity();
  Vec3 shift{};
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    for (std::size_t k = 0; k < b.positions.size(); ++k) {
      const Vec3 apart =
          shortest_displacement(box.minimum_image(), a.positions[i], b.positions[k]);
      if (dot(apart, apart) < least) {
        least = dot(apart, apart);
        nearest = {a.particles[i], b.particles[k]};
        shift = a.positions[i] - b.positions[k] - apart;
      }
    }
  }
  if (!(std::sqrt(dot(shift, shift)) > box.inscribed_radius())) {
    return std::nullopt;
  }
  // Bonds between residues are up to 1.4 times the longest distance to a nearest
  // neighbour within them (C-C and C-H); hydrogen bonds are longer than 1.6 times.
  constexpr double longest_bond = 1.45;
  const double within = std::max(longest_nearest(box, a), longest_nearest(box, b));
  return std::sqrt(least) <= longest_bond * within ? std::optional(nearest)
                                                   : std::nullopt;
}

/// broken_molecules() for a number of cuts. `certain`: the parts are known to belong to
/// one molecule; `first`: describes one of them.
std::string cut_text(const std::string& what, bool certain, const std::string& first) {
  return "the boundaries of the file's box cut " + what +
         ", so their distances without images " + (certain ? "are" : "may be") +
         " wrong (" + first +
         "): make molecules whole before, for example with gmx trjconv -pbc mol or "
         "MDAnalysis.transformations.unwrap, or count with the box";
}

std::string across_text(const ParticleTable& table, std::uint32_t a, std::uint32_t b) {
  return particle_text(table, b) + " lies across the boundary from " +
         particle_text(table, a);
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
  std::string first_bond;
  std::uint64_t cut = 0;
  std::uint64_t cut_bonds = 0;
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
      first =
          across_text(table, molecule.particles.front(), molecule.particles[*other]);
    }
    const auto bond = kind == "residue" && checked > 1
                          ? cut_bond(box, molecules[checked - 2], molecule)
                          : std::nullopt;
    if (bond && cut_bonds++ == 0) {
      first_bond = across_text(table, bond->first, bond->second);
    }
  }
  const std::string of = checked < molecules.size() ? " that were checked" : "";
  if (cut > 0) {
    return cut_text(counted(cut, kind) + " of " + grouped(checked) + of,
                    kind == "molecule", first);
  }
  return cut_bonds == 0 ? ""
                        : cut_text(counted(cut_bonds, "bond") +
                                       " between consecutive residues" + of,
                                   false, first_bond);
}

}  // namespace starhist::io
