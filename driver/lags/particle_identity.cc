#include "driver/lags/particle_identity.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

std::string frame_text(const Frame& frame) {
  return "frame " + std::to_string(frame.index.get());
}

/// Pairs of a value and its place, sorted.
template <class Value>
std::vector<std::pair<Value, std::uint32_t>> sorted_places(
    const std::vector<Value>& values) {
  std::vector<std::pair<Value, std::uint32_t>> places;
  for (std::uint32_t k = 0; k < values.size(); ++k) {
    places.emplace_back(values[k], k);
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

void ParticleIdentity::take_first(const Frame& frame) {
  has_first_ = true;
  order_ = frame.order;
  for (std::uint32_t s = 0; s < species_.size(); ++s) {
    counts_.push_back(frame.particle_count(SpeciesId(s)));
    places_.push_back(order_.empty()
                          ? std::vector<std::pair<std::int64_t, std::uint32_t>>()
                          : sorted_places(order_[s].id));
    for (std::size_t k = 1; k < places_.back().size(); ++k) {
      if (places_.back()[k].first == places_.back()[k - 1].first) {
        throw InputError(frame_text(frame) + ": two particles have the id " +
                         std::to_string(places_.back()[k].first) +
                         ", so particles cannot be followed between frames (write the "
                         "trajectory with unique ids)");
      }
    }
  }
}

void ParticleIdentity::sort(Frame& frame) {
  if (!has_first_) {
    take_first(frame);
    return;
  }
  for (std::uint32_t s = 0; s < species_.size(); ++s) {
    const std::uint64_t count = frame.particle_count(SpeciesId(s));
    if (count != counts_[s]) {
      throw InputError(
          frame_text(frame) + " has " + std::to_string(count) +
          " particles of species " + species_[s] + ", and the first frame has " +
          std::to_string(counts_[s]) +
          " (particles are followed between frames, so each frame must have the same "
          "ones): select frames or species with constant numbers with --first, --last "
          "or --species");
    }
    if (order_.empty() || frame.order.empty()) {
      continue;
    }
    if (order_[s].id.size() != frame.order[s].id.size()) {
      throw InputError(frame_text(frame) +
                       " and the first frame do not both have particle ids, so "
                       "particles cannot be followed between them (count the files "
                       "separately)");
    }
    if (!order_[s].id.empty()) {
      sort_by_id(frame, s);
    } else if (order_[s].row != frame.order[s].row) {
      throw InputError(
          frame_text(frame) + " has the particles of species " + species_[s] +
          " at other places than the first frame, and no ids, so particles "
          "cannot be followed between frames (write the trajectory with "
          "ids or in constant order)");
    }
  }
}

void ParticleIdentity::sort_by_id(Frame& frame, std::size_t species) const {
  const std::vector<std::int64_t>& ids = frame.order[species].id;
  if (ids == order_[species].id) {
    return;
  }
  const auto& known = places_[species];
  const std::vector<double>& positions = frame.positions[species];
  std::vector<double> sorted(positions.size());
  std::vector<bool> taken(known.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const auto found = std::lower_bound(
        known.begin(), known.end(), std::pair<std::int64_t, std::uint32_t>(ids[k], 0));
    if (found == known.end() || found->first != ids[k] || taken[found->second]) {
      throw InputError(frame_text(frame) + " has the particle with id " +
                       std::to_string(ids[k]) + " of species " + species_[species] +
                       (found != known.end() && found->first == ids[k]
                            ? " twice"
                            : ", which the first frame lacks") +
                       " (particles are followed between frames, so each frame must "
                       "have the same ones): select the same particles with --species");
    }
    taken[found->second] = true;
    std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(3 * k), 3,
                sorted.begin() + static_cast<std::ptrdiff_t>(3 * found->second));
  }
  frame.positions[species] = std::move(sorted);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> ParticleIdentity::shared(
    const SpeciesPair& pair) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared;
  if (pair.like()) {
    for (std::uint32_t k = 0; k < counts_[pair.first.index()]; ++k) {
      shared.emplace_back(k, k);
    }
    return shared;
  }
  if (order_.empty()) {
    return shared;  // species of the file share no particle
  }
  const auto first = sorted_places(order_[pair.first.index()].row);
  const auto second = sorted_places(order_[pair.second.index()].row);
  auto other = second.begin();
  for (const auto& [row, place] : first) {
    while (other != second.end() && other->first < row) {
      ++other;
    }
    if (other != second.end() && other->first == row) {
      shared.emplace_back(place, other->second);
    }
  }
  return shared;
}

}  // namespace starhist::driver
