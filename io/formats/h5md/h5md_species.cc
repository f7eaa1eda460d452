#include "io/formats/h5md/h5md_species.hh"

#include <algorithm>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {

H5mdSpecies::H5mdSpecies(hid_t particle_group, const H5mdSampling& frames,
                         std::uint64_t particle_count, bool nan_filled)
    : labels_(particle_group, frames, particle_count, nan_filled),
      presence_(particle_group, frames, particle_count,
                H5mdPresence::OtherIds::checked),
      particle_count_(particle_count),
      place_(hdf5_location(particle_group, "species")) {
  const bool constant = labels_.constant() && presence_.constant();
  const std::uint64_t frames_to_see = constant ? 1 : frames.count();
  const auto all_names = labels_.name_count();
  for (std::uint64_t frame = 0; frame < frames_to_see; ++frame) {
    members_valid_ = frame > 0;
    go_to(frame);
    if (!members_valid_) {
      collect(frame);
    }
    if (all_names && species_of_label_.size() == *all_names) {
      break;
    }
  }
  for (const auto& [label, unused] : species_of_label_) {
    names_.push_back(labels_.name(label));
  }
  sort_species(names_);
  for (auto& [label, species] : species_of_label_) {
    const auto name = std::find(names_.begin(), names_.end(), labels_.name(label));
    species = static_cast<std::size_t>(name - names_.begin());
  }
  members_.resize(names_.size());
  members_valid_ = false;
}

void H5mdSpecies::go_to(std::uint64_t frame) {
  if (labels_.read(frame)) {
    members_valid_ = false;
  }
  if (presence_.read(frame)) {
    members_valid_ = false;
  }
}

std::string H5mdSpecies::name_of(std::uint64_t particle, std::uint64_t frame) const {
  try {
    return labels_.name(labels_.values()[particle]);
  } catch (const InputError& error) {
    throw InputError(place_ + ": particle " + std::to_string(particle) + " of frame " +
                     std::to_string(frame) + ": " + error.what());
  }
}

void H5mdSpecies::collect(std::uint64_t frame) {
  constexpr std::size_t most = 1000;
  const std::vector<std::int64_t>& labels = labels_.values();
  for (std::uint64_t particle = 0; particle < particle_count_; ++particle) {
    const bool same_as_before = particle > 0 &&
                                labels[particle] == labels[particle - 1] &&
                                presence_.present(particle - 1);
    if (same_as_before || !presence_.present(particle) ||
        labels_.absent(labels[particle]) ||
        species_of_label_.contains(labels[particle])) {
      continue;
    }
    name_of(particle, frame);
    species_of_label_.emplace(labels[particle], 0);
    if (species_of_label_.size() > most) {
      throw InputError(place_ + ": frame " + std::to_string(frame) + " has more than " +
                       std::to_string(most) +
                       " different species (are these the numbers of the particles?)");
    }
  }
}

const SpeciesMembers& H5mdSpecies::members(std::uint64_t frame, std::uint64_t end_row) {
  go_to(frame);
  if (presence_.end_at(end_row)) {
    members_valid_ = false;
  }
  if (members_valid_) {
    return members_;
  }
  for (auto& particles : members_) {
    particles.clear();
  }
  without_species_.clear();
  const std::vector<std::int64_t>& labels = labels_.values();
  auto species = species_of_label_.end();
  for (std::uint32_t particle = 0; particle < particle_count_; ++particle) {
    if (!presence_.present(particle)) {
      continue;
    }
    if (labels_.absent(labels[particle])) {
      without_species_.push_back(particle);
      continue;
    }
    if (species == species_of_label_.end() || species->first != labels[particle]) {
      species = species_of_label_.find(labels[particle]);
    }
    if (species == species_of_label_.end()) {
      name_of(particle, frame);  // throws, because all named labels were collected
      throw InternalError("species of particle " + std::to_string(particle) +
                          " was overlooked");
    }
    std::uint32_t end = particle + 1;
    while (end < particle_count_ && labels[end] == labels[particle] &&
           presence_.present(end)) {
      ++end;
    }
    std::vector<std::uint32_t>& own = members_[species->second];
    const std::size_t before = own.size();
    own.resize(before + (end - particle));
    std::iota(own.begin() + static_cast<std::ptrdiff_t>(before), own.end(), particle);
    particle = end - 1;
  }
  presence_.check_ids();
  members_valid_ = true;
  return members_;
}

}  // namespace starhist::io
