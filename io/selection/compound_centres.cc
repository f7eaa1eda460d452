#include "io/selection/compound_centres.hh"

#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

double weight_of(const ParticleTable& table, std::uint32_t particle) {
  const double mass = table.mass[particle];
  if (!std::isfinite(mass) || mass < 0.0) {
    throw InputError("particle " + std::to_string(particle + 1) + " has the mass " +
                     number_text(mass));
  }
  return mass;
}

bool has_weight(const std::vector<double>& weights) {
  for (const double weight : weights) {
    if (weight > 0.0) {
      return true;
    }
  }
  return false;
}

}  // namespace

CompoundCentres::CompoundCentres(const ParticleTable& table,
                                 const ParticleCompounds& compounds,
                                 const std::vector<std::uint32_t>& particles,
                                 Centres centres) {
  const bool by_residue =
      centres == Centres::residue_mass || centres == Centres::residue_geometry;
  const bool by_mass =
      centres == Centres::residue_mass || centres == Centres::molecule_mass;
  const auto& number = by_residue ? compounds.residue : compounds.molecule;
  const std::string kind = by_residue ? "residue" : "molecule";
  if (number.empty()) {
    throw InputError("the particles of the file have no " + kind + "s (only " +
                     fields_text(table) + "): give a --structure FILE that has them");
  }
  if (by_mass && table.mass.empty()) {
    throw InputError(
        "the file has no masses (give a --structure FILE with masses, such as a TPR or "
        "LAMMPS data file; res_cog and mol_cog, the centres of geometry, do not need "
        "them)");
  }
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (const std::uint32_t particle : particles) {
    const auto [found, is_new] = place.emplace(number[particle], compounds_.size());
    if (is_new) {
      const auto& in_file = by_residue ? table.residue : table.molecule;
      compounds_.push_back(
          {{}, {}, {}, kind + " " + std::to_string(in_file[particle])});
      if (by_residue) {
        members_.residue.push_back(number[particle]);
      }
      if (!compounds.molecule.empty()) {
        members_.molecule.push_back(compounds.molecule[particle]);
      }
    }
    Compound& compound = compounds_[found->second];
    compound.particles.push_back(particle);
    compound.weights.push_back(by_mass ? weight_of(table, particle) : 1.0);
  }
  std::vector<char> selected(number.size());
  for (const std::uint32_t particle : particles) {
    selected[particle] = 1;
  }
  for (std::uint32_t particle = 0; particle < number.size(); ++particle) {
    const auto found = place.find(number[particle]);
    if (found != place.end() && selected[particle] == 0) {
      compounds_[found->second].others.push_back(particle);
    }
  }
  for (const Compound& compound : compounds_) {
    if (!has_weight(compound.weights)) {
      throw InputError(compound.name + " (particle " +
                       std::to_string(compound.particles.front() + 1) +
                       ") has no mass");
    }
  }
}

std::vector<std::vector<std::uint32_t>> number_centres(
    const std::vector<const CompoundCentres*>& species, std::uint32_t first) {
  using Parts = std::pair<std::vector<std::uint32_t>, std::vector<double>>;
  // sorted by first particle, like the centres of a species
  std::map<Parts, std::uint32_t> numbers;
  for (const CompoundCentres* centres : species) {
    for (const CompoundCentres::Compound& compound : centres->compounds()) {
      numbers.emplace(Parts(compound.particles, compound.weights), 0);
    }
  }
  for (auto& [parts, number] : numbers) {
    number = first++;
  }
  std::vector<std::vector<std::uint32_t>> all;
  for (const CompoundCentres* centres : species) {
    auto& of_species = all.emplace_back();
    for (const CompoundCentres::Compound& compound : centres->compounds()) {
      of_species.push_back(numbers.at(Parts(compound.particles, compound.weights)));
    }
  }
  return all;
}

void CompoundCentres::positions(const Box& box, const std::vector<double>& all,
                                std::vector<double>& out) {
  out.clear();
  for (const Compound& compound : compounds_) {
    scratch_.clear();
    for (const auto* particles : {&compound.particles, &compound.others}) {
      for (const std::uint32_t particle : *particles) {
        const double* p = &all[3 * std::size_t{particle}];
        scratch_.push_back({p[0], p[1], p[2]});
      }
    }
    try {
      const Vec3 centre =
          centre_of(scratch_.front(),
                    whole_.displacements(box, scratch_, compound.weights.size()),
                    compound.weights);
      out.insert(out.end(), {centre.x, centre.y, centre.z});
    } catch (const InputError& error) {
      throw InputError(compound.name + " (particle " +
                       std::to_string(compound.particles.front() + 1) +
                       ") cannot be made whole: " + error.what());
    }
  }
}

}  // namespace starhist::io
