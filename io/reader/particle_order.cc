#include "io/reader/particle_order.hh"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {
namespace {

std::string name_of(const Frame& frame) {
  return "frame " + std::to_string(frame.index.get());
}

std::vector<std::uint64_t> particle_counts(const Frame& frame) {
  std::vector<std::uint64_t> counts;
  for (const std::vector<double>& positions : frame.positions) {
    counts.push_back(positions.size() / 3);
  }
  return counts;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

bool has_ids(const std::vector<FileOrder>& order) {
  return std::all_of(order.begin(), order.end(), [](const FileOrder& each) {
    return each.id.size() == each.row.size();
  });
}

[[noreturn]] void refuse_twice(const Frame& frame, std::int64_t id) {
  throw InputError(name_of(frame) + " has two particles of id " + std::to_string(id) +
                   " (ids must identify particles)");
}

}  // namespace

ParticleOrder::ParticleOrder(std::vector<std::string> species, const Frame& first)
    : names_(std::move(species)),
      counts_(particle_counts(first)),
      species_(sum(counts_)) {
  go_to(first);
}

void ParticleOrder::gather(const Frame& frame, std::vector<double>& positions) {
  check_count(frame);
  go_to(frame);
  positions.resize(3 * count());
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    for (std::size_t k = 0; k < rows_[s].size(); ++k) {
      std::copy_n(&frame.positions[s][3 * k], 3,
                  &positions[3 * std::size_t{rows_[s][k]}]);
    }
  }
}

void ParticleOrder::check_count(const Frame& frame) const {
  const std::vector<std::uint64_t> counts = particle_counts(frame);
  if (sum(counts) == count()) {
    return;
  }
  const auto [here, first] =
      std::mismatch(counts.begin(), counts.end(), counts_.begin());
  throw InputError(name_of(frame) + " has " + std::to_string(*here) + " particles of " +
                   names_[static_cast<std::size_t>(here - counts.begin())] +
                   ", the first frame " + std::to_string(*first) +
                   " (the same number is needed in all)");
}

void ParticleOrder::go_to(const Frame& frame) {
  const bool told = !frame.order.empty();
  const auto in_turn =
      told ? std::vector<FileOrder>() : species_in_turn(frame.positions);
  const std::vector<FileOrder>& order = told ? frame.order : in_turn;
  if (order == order_) {
    return;
  }
  const bool is_first = order_.empty();
  order_ = order;
  if (ids_.empty()) {
    find_rows_by_place();
  } else {
    find_rows_by_id(frame);
  }
  take_species();
  if (is_first) {
    take_places();
  }
  if (is_first && has_ids(order_)) {
    take_ids(frame);
  }
}

void ParticleOrder::take_places() {
  places_.resize(count());
  for (std::size_t s = 0; s < order_.size(); ++s) {
    for (std::size_t k = 0; k < rows_[s].size(); ++k) {
      places_[rows_[s][k]] = order_[s].row[k];
    }
  }
}

void ParticleOrder::find_rows_by_place() {
  std::uint32_t places = 0;
  for (const FileOrder& each : order_) {
    for (const std::uint32_t place : each.row) {
      places = std::max(places, place + 1);
    }
  }
  constexpr auto nobody = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> species_at(places, nobody);
  for (std::size_t s = 0; s < order_.size(); ++s) {
    for (const std::uint32_t place : order_[s].row) {
      if (species_at[place] != nobody) {
        throw InputError("particle " + std::to_string(place) + " is of two species, " +
                         names_[species_at[place]] + " and " + names_[s] +
                         ", and in H5MD it can be of one");
      }
      species_at[place] = s;
    }
  }
  std::vector<std::uint32_t> row_at(places);
  std::uint32_t row = 0;
  for (std::size_t place = 0; place < places; ++place) {
    row_at[place] = row;
    row += species_at[place] != nobody ? 1 : 0;
  }
  rows_.resize(order_.size());
  for (std::size_t s = 0; s < order_.size(); ++s) {
    rows_[s].clear();
    for (const std::uint32_t place : order_[s].row) {
      rows_[s].push_back(row_at[place]);
    }
  }
}

void ParticleOrder::find_rows_by_id(const Frame& frame) {
  if (!has_ids(order_)) {
    throw InputError(name_of(frame) +
                     " has no particle ids, but the first frame does (ids must "
                     "identify particles in all frames)");
  }
  std::vector<bool> taken(count());
  for (std::size_t s = 0; s < order_.size(); ++s) {
    rows_[s].clear();
    for (const std::int64_t id : order_[s].id) {
      const std::uint32_t row = row_of_id(id, frame);
      if (taken[row]) {
        refuse_twice(frame, id);
      }
      taken[row] = true;
      rows_[s].push_back(row);
    }
  }
}

void ParticleOrder::take_ids(const Frame& first) {
  ids_.resize(count());
  for (std::size_t s = 0; s < order_.size(); ++s) {
    for (std::size_t k = 0; k < rows_[s].size(); ++k) {
      ids_[rows_[s][k]] = order_[s].id[k];
    }
  }
  rows_by_id_.resize(count());
  std::iota(rows_by_id_.begin(), rows_by_id_.end(), std::uint32_t{0});
  const auto id_of = [this](std::uint32_t row) { return ids_[row]; };
  std::ranges::sort(rows_by_id_, {}, id_of);
  const auto twice = std::ranges::adjacent_find(rows_by_id_, {}, id_of);
  if (twice != rows_by_id_.end()) {
    refuse_twice(first, ids_[*twice]);
  }
}

std::uint32_t ParticleOrder::row_of_id(std::int64_t id, const Frame& frame) const {
  // Ids usually are consecutive.
  const auto guess = static_cast<std::uint64_t>(id) -
                     static_cast<std::uint64_t>(ids_[rows_by_id_.front()]);
  if (guess < rows_by_id_.size() && ids_[rows_by_id_[guess]] == id) {
    return rows_by_id_[guess];
  }
  const auto found = std::ranges::lower_bound(
      rows_by_id_, id, {}, [this](std::uint32_t row) { return ids_[row]; });
  if (found == rows_by_id_.end() || ids_[*found] != id) {
    throw InputError(name_of(frame) + " has a particle of id " + std::to_string(id) +
                     ", which is not in the first frame (the same particles are "
                     "needed in all)");
  }
  return *found;
}

void ParticleOrder::take_species() {
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    for (const std::uint32_t row : rows_[s]) {
      species_[row] = static_cast<std::int32_t>(s);
    }
  }
}

}  // namespace starhist::io
