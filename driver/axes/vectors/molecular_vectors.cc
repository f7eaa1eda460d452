#include "driver/axes/vectors/molecular_vectors.hh"

#include <map>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/shortest_displacement.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/selection/species_groups.hh"

namespace starhist::driver {
namespace {

std::unique_ptr<io::TrajectoryReader> open_atoms(const std::vector<std::string>& inputs,
                                                 io::ReadOptions reading,
                                                 const SecondAxis& axis) {
  reading.species = io::parse_species_groups("from=name \"" + axis.from +
                                             "\"; to=name \"" + axis.to + "\"");
  reading.by = io::SpeciesBy::file;  // the rules define the species
  reading.open = {};  // a molecule that crosses the opened boundary is whole
  reading.tell_order = false;
  try {
    return io::open_trajectory(inputs, reading);
  } catch (const InputError& error) {
    std::string problem = error.what();
    for (const char* const species : {"--species: from: ", "--species: to: "}) {
      if (problem.starts_with(species)) {
        problem.erase(0, std::string(species).size());
      }
    }
    throw InputError("--axis2 " + to_string(axis) +
                     ": its atoms cannot be read: " + problem);
  }
}

/// Atoms of a name by residue: their number, and the index of the last one.
struct NamedAtoms {
  explicit NamedAtoms(const io::SpeciesParticles& particles) {
    for (std::uint32_t k = 0; k < particles.residue.size(); ++k) {
      Found& found = by_residue[particles.residue[k]];
      ++found.count;
      found.index = k;
    }
  }
  struct Found {
    std::uint32_t count = 0;
    std::uint32_t index = 0;
  };
  std::map<std::uint32_t, Found> by_residue;
};

}  // namespace

MolecularVectors::MolecularVectors(const std::vector<std::string>& inputs,
                                   io::ReadOptions reading,
                                   const HistogramLayout& layout,
                                   const io::TrajectoryInfo& info)
    : axis_(*layout.second),
      atoms_(layout.species.size()),
      vectors_(layout.species.size()) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError("--axis2 " + to_string(axis_) + " " + problem);
  };
  if (info.members.empty()) {
    refuse(
        "needs residues of the same particles in all frames, which are unknown: select "
        "species without within, beyond, x, y and z, and give a file with residues as "
        "--structure");
  }
  reader_ = open_atoms(inputs, std::move(reading), axis_);
  const std::vector<io::SpeciesParticles>& named = reader_->info().members;
  if (named.size() != 2 || named[0].residue.empty() || named[1].residue.empty()) {
    refuse(
        "needs residues, which the file does not specify: give a file with residues "
        "as --structure");
  }
  const NamedAtoms from(named[0]);
  const NamedAtoms to(named[1]);
  for (const SpeciesPair& pair : layout.pairs) {
    const std::size_t s = pair.first.index();
    if (!atoms_[s].empty()) {
      continue;
    }
    const std::vector<std::uint32_t>& residues = info.members[s].residue;
    if (residues.empty()) {
      refuse("needs the residues of species " + layout.species[s] +
             ", which are unknown: select atoms, or give a file with residues as "
             "--structure");
    }
    for (std::size_t i = 0; i < residues.size(); ++i) {
      const auto index_of = [&](const NamedAtoms& atoms, const std::string& name) {
        const auto found = atoms.by_residue.find(residues[i]);
        const std::uint32_t count =
            found == atoms.by_residue.end() ? 0 : found->second.count;
        if (count != 1) {
          refuse("needs one atom " + name +
                 " in each residue, but the residue of "
                 "particle " +
                 std::to_string(i) + " of species " + layout.species[s] + " has " +
                 std::to_string(count) +
                 ": name atoms that each of these residues has once, or select other "
                 "particles for the first species of pairs (--species, --pairs)");
        }
        return found->second.index;
      };
      atoms_[s].push_back({index_of(from, axis_.from), index_of(to, axis_.to)});
    }
    vectors_[s].resize(atoms_[s].size());
  }
}

void MolecularVectors::read(const Frame& frame) {
  reader_->read(frame.index, frame_);
  const MinimumImage& image = frame_.box.minimum_image();
  const auto position = [&](std::size_t species, std::uint32_t index) {
    const double* const xyz = &frame_.positions[species].at(3 * std::size_t{index});
    return Vec3{xyz[0], xyz[1], xyz[2]};
  };
  for (std::size_t s = 0; s < atoms_.size(); ++s) {
    for (std::size_t i = 0; i < atoms_[s].size(); ++i) {
      const Vec3 vector = shortest_displacement(image, position(1, atoms_[s][i].to),
                                                position(0, atoms_[s][i].from));
      const double size = length(vector);
      if (!(size > 0.0)) {
        throw InputError("frame " + std::to_string(frame.index.get()) + ": --axis2 " +
                         to_string(axis_) +
                         " has no direction in the residue of particle " +
                         std::to_string(i) +
                         " (both atoms are at the same position): leave the frame out "
                         "with --first, --last and --step");
      }
      vectors_[s][i] = {vector.x / size, vector.y / size, vector.z / size};
    }
  }
}

}  // namespace starhist::driver
