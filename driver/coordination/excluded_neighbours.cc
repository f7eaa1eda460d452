#include "driver/coordination/excluded_neighbours.hh"

#include <algorithm>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/species_positions.hh"

namespace starhist::driver {
namespace {

/// Returns, for each particle in `own`, whether it is in `others`, too.
std::vector<char> members_of(const std::vector<std::uint32_t>& own,
                             std::vector<std::uint32_t> others) {
  std::sort(others.begin(), others.end());
  std::vector<char> members;
  for (const std::uint32_t particle : own) {
    members.push_back(std::binary_search(others.begin(), others.end(), particle) ? 1
                                                                                 : 0);
  }
  return members;
}

}  // namespace

ExcludedNeighbours::ExcludedNeighbours(const NeighbourShell& shell, Exclusion exclusion,
                                       const io::TrajectoryInfo& info)
    : shell_(shell), exclusion_(exclusion) {
  if (info.members.empty()) {
    return;
  }
  const io::SpeciesParticles& centre = info.members[shell.centre.index()];
  const io::SpeciesParticles& neighbour = info.members[shell.neighbour.index()];
  is_shared_ = members_of(centre.particle, neighbour.particle);
  if (std::count(is_shared_.begin(), is_shared_.end(), 1) == 0) {
    is_shared_.clear();  // the number of particles may change between frames
  }
  if (exclusion == Exclusion::none) {
    return;
  }
  const bool residues = compound_of(exclusion) == Compound::residue;
  const auto& of_centres = residues ? centre.residue : centre.molecule;
  const auto& of_neighbours = residues ? neighbour.residue : neighbour.molecule;
  partners_.resize(of_neighbours.size());
  std::iota(partners_.begin(), partners_.end(), 0U);
  std::stable_sort(partners_.begin(), partners_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return of_neighbours[a] < of_neighbours[b];
                   });
  for (const std::uint32_t compound : of_centres) {
    const auto first = std::lower_bound(partners_.begin(), partners_.end(), compound,
                                        [&](std::uint32_t j, std::uint32_t number) {
                                          return of_neighbours[j] < number;
                                        });
    const auto last = std::upper_bound(first, partners_.end(), compound,
                                       [&](std::uint32_t number, std::uint32_t j) {
                                         return number < of_neighbours[j];
                                       });
    begin_.push_back(static_cast<std::uint32_t>(first - partners_.begin()));
    end_.push_back(static_cast<std::uint32_t>(last - partners_.begin()));
  }
}

std::vector<std::uint32_t> ExcludedNeighbours::within_compounds(
    const Frame& frame) const {
  const kernels::PositionSpan centres =
      kernels::positions_of(frame.positions, shell_.centre);
  const kernels::PositionSpan neighbours =
      kernels::positions_of(frame.positions, shell_.neighbour);
  const MinimumImage& image = frame.box.minimum_image();
  std::vector<std::uint32_t> counts(centres.count);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::uint32_t k = begin_[i]; k < end_[i]; ++k) {
      counts[i] += pair_bin(image, shell_.bins, centres[i], neighbours[partners_[k]]) <
                           shell_.edge
                       ? 1
                       : 0;
    }
  }
  return counts;
}

void ExcludedNeighbours::subtract_itself(const Frame& frame,
                                         std::vector<std::uint32_t>& counts) const {
  const std::size_t a = shell_.centre.index();
  const std::size_t b = shell_.neighbour.index();
  if (a == b) {
    for (std::uint32_t& count : counts) {
      --count;
    }
    return;
  }
  std::vector<char> shared = is_shared_;
  if (!frame.shared_particles.empty() &&
      frame.shared_particles[std::min(a, b) * frame.positions.size() + std::max(a, b)] >
          0) {
    if (frame.order.empty()) {
      throw InputError(
          "frame " + std::to_string(frame.index.get()) +
          ": two species share particles, which the file does not identify (a particle "
          "is not its own neighbour): select species without common particles");
    }
    shared = members_of(frame.order[a].row, frame.order[b].row);
  }
  for (std::size_t i = 0; i < shared.size(); ++i) {
    counts[i] -= shared[i] != 0 ? 1 : 0;
  }
}

void ExcludedNeighbours::subtract(const Frame& frame,
                                  std::vector<std::uint32_t>& counts) const {
  if (exclusion_ == Exclusion::none) {
    subtract_itself(frame, counts);
    return;
  }
  std::vector<std::uint32_t> within = within_compounds(frame);
  if (counts_only_same(exclusion_)) {
    counts = std::move(within);
    subtract_itself(frame, counts);
    return;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] -= within[i];  // with the particle itself
  }
}

}  // namespace starhist::driver
