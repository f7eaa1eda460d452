#include "io/trajectory/selected_trajectory.hh"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/element_of_species.hh"
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

std::vector<std::uint32_t> marked(const std::vector<char>& meant) {
  std::vector<std::uint32_t> particles;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    if (meant[k] != 0) {
      particles.push_back(static_cast<std::uint32_t>(k));
    }
  }
  return particles;
}

/// Number of particles in both lists, which ascend.
std::uint64_t common(const std::vector<std::uint32_t>& a,
                     const std::vector<std::uint32_t>& b) {
  std::uint64_t count = 0;
  auto next = b.begin();
  for (const std::uint32_t particle : a) {
    while (next != b.end() && *next < particle) {
      ++next;
    }
    count += next != b.end() && *next == particle ? 1 : 0;
  }
  return count;
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
                                       SpeciesBy by, const std::array<bool, 3>& open)
    : reader_(std::move(per_particle)), info_(reader_->info()), box_of_rules_(open) {
  table_ = std::exchange(info_.particles, {});
  if (table_.count == 0) {
    throw InputError(info_.paths.front() +
                     ": has no particles in its first frame to select from");
  }
  fill_species(table_);
  info_.species_by = by;
  info_.species_of_file =
      std::set<std::string_view>(table_.species.begin(), table_.species.end()).size();
  compounds_.emplace(table_);
  info_.species.clear();
  info_.elements.clear();
  std::vector<SpeciesGroup> sorted =
      groups.empty() ? groups_by_species(table_) : groups;
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
  std::vector<std::string> rules;
  bool any_changes = false;
  for (const SpeciesGroup& group : sorted) {
    try {
      add_species(group);
    } catch (const InputError& error) {
      throw InputError("--species: " + group.name + ": " + info_.paths.front() + ": " +
                       error.what());
    }
    const bool changes = species_.back().changing.has_value();
    rules.push_back(changes ? group.text : "");
    any_changes = any_changes || changes;
  }
  number_centres();
  if (any_changes) {
    info_.selections = std::move(rules);
    count_shared(true);
    return;
  }
  for (Species& species : species_) {
    info_.members.push_back(std::move(species.members));
  }
  table_ = {};
  compounds_.reset();
}

const std::vector<std::uint32_t>& SelectedTrajectory::particles_of(
    std::size_t species) const {
  return info_.members.empty() ? species_[species].members.particle
                               : info_.members[species].particle;
}

void SelectedTrajectory::add_species(const SpeciesGroup& group) {
  const Selection selection = selection_of(group);
  Species& species = species_.emplace_back();
  species.centre_kind = group.centres;
  any_centres_ = any_centres_ || group.centres != Centres::none;
  std::vector<std::uint32_t> particles;
  if (changes(selection)) {
    species.changing.emplace(selection, table_);
    particles = species.changing->candidates();
  } else {
    particles = marked(select(selection, table_));
  }
  if (particles.empty()) {
    throw InputError("no particle is '" + group.text + "'");
  }
  set_members(species_.size() - 1, particles);
  info_.elements.push_back(group.centres == Centres::none
                               ? element_of(table_, particles, info_.from.elements)
                               : SpeciesElement());  // a centre has no element
}

void SelectedTrajectory::set_members(std::size_t species,
                                     const std::vector<std::uint32_t>& particles) {
  Species& own = species_[species];
  if (own.centre_kind == Centres::none && own.changing) {
    own.members.particle = particles;
  } else if (own.centre_kind == Centres::none) {
    own.members = {particles, taken(compounds_->residue, particles),
                   taken(compounds_->molecule, particles)};
  } else {
    own.centres.emplace(table_, *compounds_, particles, own.centre_kind);
    own.members = own.centres->members();
  }
}

/// Numbers the centres of all species after the particles of the file.
void SelectedTrajectory::number_centres() {
  std::vector<const CompoundCentres*> centres;
  for (const Species& each : species_) {
    if (each.centres) {
      centres.push_back(&*each.centres);
    }
  }
  const auto numbers =
      io::number_centres(centres, static_cast<std::uint32_t>(table_.count));
  auto next = numbers.begin();
  for (Species& each : species_) {
    if (each.centres) {
      each.members.particle = *next++;
    }
  }
}

void SelectedTrajectory::select_in_frame() {
  bool new_centres = false;
  for (std::size_t s = 0; s < species_.size(); ++s) {
    if (species_[s].changing) {
      try {
        set_members(s, species_[s].changing->select(box_of_rules_.of(scratch_.box),
                                                    scratch_.positions.front()));
      } catch (const InputError& error) {
        refuse(s, error);
      }
      new_centres = new_centres || species_[s].centres;
    }
  }
  if (new_centres) {
    number_centres();
  }
  count_shared(false);
}

void SelectedTrajectory::count_shared(bool all) {
  const std::size_t count = species_.size();
  shared_.resize(count * count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      if (all || species_[a].changing || species_[b].changing) {
        shared_[a * count + b] = common(particles_of(a), particles_of(b));
      }
    }
  }
}

/// Selects the file order. Centres are not in the file and are numbered after its
/// particles.
void SelectedTrajectory::select_order(std::vector<FileOrder>& selected) const {
  const FileOrder& all = scratch_.order.front();
  selected.resize(species_.size());
  for (std::size_t s = 0; s < selected.size(); ++s) {
    const std::vector<std::uint32_t>& particles = particles_of(s);
    if (species_[s].centres) {
      selected[s] = {particles, {}};
    } else {
      selected[s] = {taken(all.row, particles), taken(all.id, particles)};
    }
  }
}

void SelectedTrajectory::refuse(std::size_t species, const InputError& error) const {
  throw InputError("frame " + std::to_string(scratch_.index.get()) + ": " +
                   info_.paths.front() + ": species " + info_.species[species] + ": " +
                   error.what());
}

void SelectedTrajectory::read(FrameIndex index, Frame& frame) {
  reader_->read(index, scratch_);
  frame.index = scratch_.index;
  frame.step = scratch_.step;
  frame.time = scratch_.time;
  frame.box = scratch_.box;
  // Centres may lie beyond the coordinates read, because molecules are made whole.
  frame.coordinate_bound = any_centres_ ? std::numeric_limits<double>::infinity()
                                        : scratch_.coordinate_bound;
  if (!info_.selections.empty()) {
    select_in_frame();
    frame.shared_particles = shared_;
  }
  frame.positions.resize(species_.size());
  const std::vector<double>& all = scratch_.positions.front();
  for (std::size_t s = 0; s < species_.size(); ++s) {
    if (!species_[s].centres) {
      gather(all, particles_of(s), frame.positions[s]);
      continue;
    }
    try {
      species_[s].centres->positions(frame.box, all, frame.positions[s]);
    } catch (const InputError& error) {
      refuse(s, error);
    }
  }
  if (!scratch_.order.empty()) {
    select_order(frame.order);
  }
}

}  // namespace starhist::io
