#include "io/trajectory/selected_trajectory.hh"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/species_element.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {
namespace {

/// Returns the rule's selection; a rule without one selects by the file's species.
Selection selection_of(const SpeciesGroup& group) {
  if (group.selection) {
    return *group.selection;
  }
  Selection species;
  species.kind = Selection::Kind::term;
  species.field = ParticleField::species;
  for (const std::string& member : group.members) {
    species.values.emplace_back().text = member;
  }
  return species;
}

std::vector<SpeciesGroup> groups_by_species(const ParticleTable& table) {
  std::vector<std::string> names = table.species;
  sort_species(names);
  std::vector<SpeciesGroup> groups;
  for (const std::string& name : names) {
    SpeciesGroup& group = groups.emplace_back();
    group.name = name;
    group.members = {name};
  }
  return groups;
}

std::vector<std::uint32_t> selected_particles(const SpeciesGroup& group,
                                              const ParticleTable& table) {
  const std::vector<char> meant = select(selection_of(group), table);
  std::vector<std::uint32_t> particles;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    if (meant[k] != 0) {
      particles.push_back(static_cast<std::uint32_t>(k));
    }
  }
  if (particles.empty()) {
    throw InputError("no particle is '" + group.text + "'");
  }
  return particles;
}

/// Returns the entries of some particles; empty for an empty column.
template <class Value>
std::vector<Value> taken(const std::vector<Value>& column,
                         const std::vector<std::uint32_t>& particles) {
  std::vector<Value> entries;
  for (const std::uint32_t particle : particles) {
    if (!column.empty()) {
      entries.push_back(column[particle]);
    }
  }
  return entries;
}

void gather(const std::vector<double>& all, const std::vector<std::uint32_t>& particles,
            std::vector<double>& out) {
  out.resize(3 * particles.size());
  for (std::size_t k = 0; k < particles.size(); ++k) {
    std::copy_n(&all[3 * std::size_t{particles[k]}], 3, &out[3 * k]);
  }
}

}  // namespace

SelectedTrajectory::SelectedTrajectory(std::unique_ptr<TrajectoryReader> per_particle,
                                       const std::vector<SpeciesGroup>& groups,
                                       SpeciesBy by)
    : reader_(std::move(per_particle)), info_(reader_->info()) {
  ParticleTable table = std::exchange(info_.particles, {});
  if (table.count == 0) {
    throw InputError(info_.paths.front() +
                     ": has no particles in its first frame to select from");
  }
  fill_species(table);
  info_.species_by = by;
  info_.species_of_file =
      std::set<std::string_view>(table.species.begin(), table.species.end()).size();
  const ParticleCompounds compounds(table);
  info_.species.clear();
  info_.elements.clear();
  std::vector<SpeciesGroup> sorted = groups.empty() ? groups_by_species(table) : groups;
  for (const SpeciesGroup& group : sorted) {
    info_.species.push_back(group.name);
  }
  sort_species(info_.species);
  const auto place = [this](const SpeciesGroup& group) {
    return std::find(info_.species.begin(), info_.species.end(), group.name);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const SpeciesGroup& a, const SpeciesGroup& b) {
              return place(a) < place(b);
            });
  for (const SpeciesGroup& group : sorted) {
    try {
      add_species(table, compounds, group);
    } catch (const InputError& error) {
      throw InputError("--species: " + group.name + ": " + info_.paths.front() + ": " +
                       error.what());
    }
  }
  number_centres_from(table.count);
}

void SelectedTrajectory::number_centres_from(std::size_t first) {
  std::vector<const CompoundCentres*> centres;
  for (const auto& each : centres_) {
    if (each) {
      centres.push_back(&*each);
    }
  }
  const auto numbers = number_centres(centres, static_cast<std::uint32_t>(first));
  auto next = numbers.begin();
  for (std::size_t s = 0; s < centres_.size(); ++s) {
    if (centres_[s]) {
      info_.members[s].particle = *next++;
    }
  }
}

void SelectedTrajectory::add_species(const ParticleTable& table,
                                     const ParticleCompounds& compounds,
                                     const SpeciesGroup& group) {
  const std::vector<std::uint32_t> particles = selected_particles(group, table);
  auto& centres = centres_.emplace_back();
  if (group.centres != Centres::none) {
    centres.emplace(table, compounds, particles, group.centres);
    info_.members.push_back(centres->members());
    info_.elements.emplace_back();  // a centre has no element
  } else {
    info_.elements.push_back(element_of(table, particles, info_.from.elements));
    info_.members.push_back({particles, taken(compounds.residue, particles),
                             taken(compounds.molecule, particles)});
  }
}

/// Selects the file order. Centres are not in the file and are numbered after its
/// particles.
void SelectedTrajectory::select_order(std::vector<FileOrder>& selected) const {
  const FileOrder& all = scratch_.order.front();
  selected.resize(info_.members.size());
  for (std::size_t s = 0; s < selected.size(); ++s) {
    const std::vector<std::uint32_t>& particles = info_.members[s].particle;
    if (centres_[s]) {
      selected[s] = {particles, {}};
    } else {
      selected[s] = {taken(all.row, particles), taken(all.id, particles)};
    }
  }
}

void SelectedTrajectory::read(FrameIndex index, Frame& frame) {
  reader_->read(index, scratch_);
  frame.index = scratch_.index;
  frame.step = scratch_.step;
  frame.time = scratch_.time;
  frame.box = scratch_.box;
  // Centres may lie beyond the coordinates read, because molecules are made whole.
  const bool any_centre = std::any_of(centres_.begin(), centres_.end(),
                                      [](const auto& centre) { return bool(centre); });
  frame.coordinate_bound =
      any_centre ? std::numeric_limits<double>::infinity() : scratch_.coordinate_bound;
  frame.positions.resize(info_.species.size());
  const std::vector<double>& all = scratch_.positions.front();
  for (std::size_t s = 0; s < info_.species.size(); ++s) {
    if (!centres_[s]) {
      gather(all, info_.members[s].particle, frame.positions[s]);
      continue;
    }
    try {
      centres_[s]->positions(frame.box, all, frame.positions[s]);
    } catch (const InputError& error) {
      throw InputError("frame " + std::to_string(index.get()) + ": " +
                       info_.paths.front() + ": species " + info_.species[s] + ": " +
                       error.what());
    }
  }
  if (!scratch_.order.empty()) {
    select_order(frame.order);
  }
}

}  // namespace starhist::io
