#include "io/reader/particle_order.hh"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// A particle as the trajectory has it.
struct Particle {
  std::uint32_t index;  ///< in the file, or in the row of species
  std::int32_t species;
  std::uint32_t place;  ///< in its species
};

std::vector<Particle> in_order_of_file(const TrajectoryInfo& info) {
  std::vector<Particle> all;
  for (std::size_t s = 0; s < info.members.size(); ++s) {
    const std::vector<std::uint32_t>& indices = info.members[s].particle;
    for (std::uint32_t k = 0; k < indices.size(); ++k) {
      all.push_back({indices[k], static_cast<std::int32_t>(s), k});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Particle& a, const Particle& b) { return a.index < b.index; });
  const auto twice = std::adjacent_find(
      all.begin(), all.end(),
      [](const Particle& a, const Particle& b) { return a.index == b.index; });
  if (twice != all.end()) {
    const auto name = [&info](const Particle& particle) {
      return info.species[static_cast<std::size_t>(particle.species)];
    };
    throw InputError("particle " + std::to_string(twice->index) +
                     " is of two species, " + name(twice[0]) + " and " +
                     name(twice[1]) + ", and in H5MD it can be of one");
  }
  return all;
}

std::vector<Particle> in_order_of_species(const Frame& frame) {
  std::vector<Particle> all;
  for (std::size_t s = 0; s < frame.positions.size(); ++s) {
    for (std::uint32_t k = 0; k < frame.positions[s].size() / 3; ++k) {
      all.push_back({0, static_cast<std::int32_t>(s), k});
    }
  }
  return all;
}

bool members_known(const TrajectoryInfo& info, const Frame& frame) {
  return std::equal(info.members.begin(), info.members.end(), frame.positions.begin(),
                    frame.positions.end(),
                    [](const auto& members, const auto& positions) {
                      return 3 * members.particle.size() == positions.size();
                    });
}

}  // namespace

ParticleOrder::ParticleOrder(const TrajectoryInfo& info, const Frame& frame)
    : names_(info.species), places_(frame.positions.size()) {
  const std::vector<Particle> all =
      members_known(info, frame) ? in_order_of_file(info) : in_order_of_species(frame);
  for (std::size_t s = 0; s < places_.size(); ++s) {
    places_[s].resize(frame.positions[s].size() / 3);
  }
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    species_.push_back(all[k].species);
    places_[static_cast<std::size_t>(all[k].species)][all[k].place] = k;
  }
}

void ParticleOrder::gather(const Frame& frame, std::vector<double>& row) const {
  row.resize(3 * count());
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const std::vector<double>& from = frame.positions[s];
    if (from.size() != 3 * places_[s].size()) {
      throw InputError("frame " + std::to_string(frame.index.get()) + " has " +
                       std::to_string(from.size() / 3) + " particles of " + names_[s] +
                       ", the first frame " + std::to_string(places_[s].size()) +
                       " (the same number is needed in all)");
    }
    for (std::size_t k = 0; k < places_[s].size(); ++k) {
      std::copy_n(&from[3 * k], 3, &row[3 * std::size_t{places_[s][k]}]);
    }
  }
}

}  // namespace starhist::io
