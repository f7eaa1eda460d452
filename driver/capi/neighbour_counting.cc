#include "driver/capi/neighbour_counting.hh"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "codelets/core/base/text.hh"
#include "codelets/kernels/neighbours/count_neighbours.hh"
#include "codelets/kernels/species_positions.hh"
#include "driver/capi/call.hh"

namespace starhist::capi {

NeighbourCounting::NeighbourCounting(std::vector<NeighbourShell> shells,
                                     unsigned threads)
    : shells_(std::move(shells)),
      threads_(std::make_unique<tasks::ThreadPool>(threads)),
      particles_(shells_.size()) {}

const NeighbourShell& NeighbourCounting::shell(std::size_t number) const {
  check_number(number, shells_.size(), "shell", STARHIST_BAD_ARGUMENT);
  return shells_[number];
}

void NeighbourCounting::check(const HistogramLayout& layout, const Box& box) const {
  const double half = box.inscribed_radius();
  for (const NeighbourShell& shell : shells_) {
    if (shell.cutoff() > half * (1.0 + 1e-6)) {
      throw CallError(STARHIST_BAD_BOX,
                      "the cut-off " + number_text(shell.cutoff()) + " of " +
                          shell_name(shell, layout.species) + " exceeds " +
                          number_text(half) +
                          ", half the shortest lattice vector of the box (a particle "
                          "may have several images within it, of which one would be "
                          "counted)");
    }
  }
}

/// Sets counts_ to the number of neighbours of each particle of the centre species.
void NeighbourCounting::count(const Frame& frame, const NeighbourShell& shell) {
  const kernels::PositionSpan centres =
      kernels::positions_of(frame.positions, shell.centre);
  const kernels::NeighbourSearch search(
      frame.box, shell, centres,
      kernels::positions_of(frame.positions, shell.neighbour));
  counts_.assign(centres.count, 0);
  threads_->share_out(search.parts(),
                      [&](std::size_t part) { search.count(part, counts_.data()); });
  if (shell.centre == shell.neighbour) {
    for (std::uint32_t& count : counts_) {
      --count;  // the particle itself
    }
  }
}

void NeighbourCounting::add(const Frame& frame, const Membership& membership,
                            bool new_block) {
  if (frames_.empty()) {
    first_ = membership;
    particle_number_ = frame.particle_count();
  } else if (membership.version() != first_->version()) {
    changed_ = changed_ || !membership.same_species(*first_);
  }
  changed_ = changed_ || frame.particle_count() != particle_number_;
  if (new_block) {
    blocks_.emplace_back(shells_.size());
  }
  for (std::size_t s = 0; s < shells_.size(); ++s) {
    count(frame, shells_[s]);
    const NeighbourCounts numbers = by_number(counts_);
    starhist::add(numbers, blocks_.back()[s]);
    frames_.push_back({frame.time, counts_.size(), neighbour_sum(numbers)});
    particles_[s].resize(counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      particles_[s][i] += counts_[i];
    }
  }
}

void NeighbourCounting::clear() {
  blocks_.clear();
  frames_.clear();
  particles_.assign(shells_.size(), {});
  first_.reset();
  changed_ = false;
}

std::vector<std::uint64_t> NeighbourCounting::particles(std::size_t shell) const {
  if (changed_) {
    throw CallError(STARHIST_WRONG_STATE,
                    "particles or their species have changed between frames, so the "
                    "neighbours of a particle have no sum (call starhist_reset before "
                    "such a change)");
  }
  const std::size_t centre = shells_[shell].centre.index();
  const std::vector<std::uint64_t>& sums = particles_[shell];
  std::vector<std::uint64_t> result(
      first_->by_labels() ? first_->labels().size() : particle_number_,
      std::numeric_limits<std::uint64_t>::max());
  const std::vector<std::uint64_t> numbers = first_->numbers(result.size());
  const std::vector<std::uint32_t> order = first_->order();
  std::size_t next = 0;  // particle of the centre species, in species order
  for (std::size_t s = 0; s < centre; ++s) {
    next += numbers[s];
  }
  for (std::size_t i = 0; i < sums.size(); ++i, ++next) {
    result[order.empty() ? next : order[next]] = sums[i];
  }
  return result;
}

}  // namespace starhist::capi
