#include "driver/lags/lag_window.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "codelets/core/geometry/shortest_displacement.hh"

namespace starhist::driver {
namespace {

Vec3 position(const std::vector<double>& xyz, std::size_t particle) {
  return {xyz[3 * particle], xyz[3 * particle + 1], xyz[3 * particle + 2]};
}

}  // namespace

LagWindow::LagWindow(const LagLayout& layout, const LagOptions& options)
    : layout_(layout),
      options_(options),
      bins_(layout.pairs.bins.from_zero()),
      identity_(layout.pairs.species) {
  notes_.times.resize(layout.lags.size());
  notes_.steps.resize(layout.lags.size());
}

std::uint64_t LagWindow::origin_bytes(const LagLayout& layout,
                                      const LagOptions& options,
                                      std::uint64_t particles) {
  const std::uint64_t origins = layout.lags.back() / options.every_origin + 2;
  const std::uint64_t per_particle =
      (options.unwrapped ? 3 : 6) * std::uint64_t{sizeof(double)};
  return origins * particles * per_particle;
}

LagWindow::BlockSums& LagWindow::sums_of(std::uint64_t block) {
  const auto [place, is_new] = sums_.try_emplace(block);
  BlockSums& sums = place->second;
  if (is_new) {
    const std::size_t channels = layout_.channel_count();
    sums.displacements = empty_displacements(layout_);
    sums.same.assign(channels,
                     std::vector<std::uint64_t>(bins_.count + std::size_t{1}));
    sums.same_pairs.resize(channels);
    sums.pairs_over_volume.resize(channels);
    sums.particle_number.resize(layout_.pairs.species.size());
  }
  return sums;
}

/// Counts the steps of unwrapped positions that are shorter to another image, and
/// jumps.
void LagWindow::count_crossings(const Frame& frame, const Positions& before,
                                const Positions& now) {
  const MinimumImage& image = frame.box.minimum_image();
  // Half the shortest lattice vector separates 0 from all others.
  const double half = frame.box.inscribed_radius();
  for (std::size_t s = 0; s < now.size(); ++s) {
    for (std::size_t i = 0; i < now[s].size() / 3; ++i) {
      const Vec3 here = position(now[s], i);
      const Vec3 there = position(before[s], i);
      jump_watch_.add(here - there, frame.index, notes_.jumps);
      const Vec3 shift = here - there - shortest_displacement(image, here, there);
      if (dot(shift, shift) > half * half && notes_.long_steps.count++ == 0) {
        notes_.long_steps.first_frame = frame.index;
      }
    }
  }
}

/// Moves the frame's positions to stored_, and follows them in continuous_.
void LagWindow::follow(Frame& frame) {
  const auto stored = std::make_shared<const Positions>(std::move(frame.positions));
  jump_watch_.extend(*stored);
  if (options_.unwrapped || continuous_ == nullptr) {
    if (stored_ != nullptr) {
      count_crossings(frame, *stored_, *stored);
    }
    stored_ = continuous_ = stored;
    return;
  }
  const MinimumImage& image = frame.box.minimum_image();
  const double quarter = 0.5 * frame.box.inscribed_radius();
  const double quarter2 = quarter * quarter;
  auto continuous = std::make_shared<Positions>(stored->size());
  for (std::size_t s = 0; s < continuous->size(); ++s) {
    std::vector<double>& now = (*continuous)[s];
    const std::vector<double>& before = (*continuous_)[s];
    now.resize(before.size());
    for (std::size_t i = 0; i < before.size() / 3; ++i) {
      const Vec3 step = shortest_displacement(image, position((*stored)[s], i),
                                              position((*stored_)[s], i));
      jump_watch_.add(step, frame.index, notes_.jumps);
      if (dot(step, step) > quarter2) {
        if (notes_.long_steps.count++ == 0) {
          notes_.long_steps.first_frame = frame.index;
        }
      }
      now[3 * i] = before[3 * i] + step.x;
      now[3 * i + 1] = before[3 * i + 1] + step.y;
      now[3 * i + 2] = before[3 * i + 2] + step.z;
    }
  }
  stored_ = stored;
  continuous_ = std::move(continuous);
}

void LagWindow::count_displacements(const Frame& frame, const Origin& origin,
                                    std::size_t lag, BlockSums& sums) const {
  const std::uint32_t below = layout_.pairs.bins.below;
  for (std::uint32_t s = 0; s < layout_.pairs.species.size(); ++s) {
    DisplacementCounts& own =
        sums.displacements[layout_.displacement(lag, SpeciesId(s))];
    const std::vector<double>& now = (*continuous_)[s];
    const std::vector<double>& then = (*origin.continuous)[s];
    ++own.frames;
    own.time += frame.time - origin.moment.time;
    own.particles += now.size() / 3;
    for (std::size_t i = 0; i < now.size() / 3; ++i) {
      const Vec3 d = position(now, i) - position(then, i);
      const double r2 = dot(d, d);
      own.squares += r2;
      const std::uint32_t bin = bin_at(bins_, bin_position(bins_, square_root(r2)));
      if (bin == bins_.count) {
        ++own.out_of_range;
      } else if (bin < below) {
        ++own.underflow;
      } else {
        ++own.counts[bin - below];
      }
    }
  }
}

/// Counts the pairs of a particle with itself, and the other pairs per volume.
void LagWindow::count_same_pairs(const Frame& frame, const Origin& origin,
                                 std::size_t lag, BlockSums& sums) const {
  const double inverse_volume = frame.box.has_volume() ? 1.0 / frame.box.volume() : 0.0;
  const MinimumImage& image = frame.box.minimum_image();
  const bool same_frame = layout_.lags[lag] == 0;
  for (std::uint32_t p = 0; p < layout_.pairs.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs.pairs[p];
    const std::vector<double>& first = (*origin.stored)[pair.first.index()];
    const std::vector<double>& second = (*stored_)[pair.second.index()];
    const std::size_t channel = layout_.channel(lag, PairId(p));
    std::uint64_t pairs = first.size() / 3 * (second.size() / 3);
    if (same_frame && pair.like()) {
      pairs = pair_count(pair, first.size() / 3, second.size() / 3);
    } else {
      for (const auto& [i, j] : shared_[p]) {
        ++sums.same[channel]
                   [pair_bin(image, bins_, position(first, i), position(second, j))];
      }
      sums.same_pairs[channel] += shared_[p].size();
      pairs -= shared_[p].size();
    }
    sums.pairs_over_volume[channel] += static_cast<double>(pairs) * inverse_volume;
  }
}

/// Follows the particles to this frame, and adds it to the origins.
void LagWindow::take(Frame& frame, std::uint64_t number) {
  identity_.sort(frame);
  notes_.jumps.particles = frame.particle_count();
  notes_.has_ids = identity_.has_ids();
  follow(frame);
  if (first_box_ == nullptr) {
    first_box_ = std::make_unique<Box>(frame.box);
    notes_.periodic = frame.box.periodic_axis_count() > 0;
    for (const SpeciesPair& pair : layout_.pairs.pairs) {
      shared_.push_back(identity_.shared(pair));
    }
  }
  notes_.boxes_differ = notes_.boxes_differ || !(*first_box_ == frame.box);
  if (number % options_.every_origin == 0) {
    origins_.push_back({number,
                        {frame.step, frame.time},
                        frame.coordinate_bound,
                        stored_,
                        continuous_});
  }
  while (!origins_.empty() && origins_.front().number + layout_.lags.back() < number) {
    origins_.pop_front();
  }
}

void LagWindow::lead_in(Frame&& frame, std::uint64_t number) {
  take(frame, number);
}

Frame LagWindow::add(Frame&& frame, std::uint64_t number) {
  take(frame, number);
  const std::size_t species = layout_.pairs.species.size();
  Positions sets((layout_.lags.size() + 1) * species);
  BlockSums& sums =
      sums_of((number - options_.first_number) / options_.frames_per_block);
  for (std::size_t s = 0; s < species; ++s) {
    sums.particle_number[s] += (*stored_)[s].size() / 3;
  }
  bool later = false;
  for (std::size_t lag = 0; lag < layout_.lags.size(); ++lag) {
    const auto origin =
        std::find_if(origins_.begin(), origins_.end(), [&](const Origin& candidate) {
          return candidate.number + layout_.lags[lag] == number;
        });
    if (origin == origins_.end()) {
      continue;
    }
    std::copy(origin->stored->begin(), origin->stored->end(),
              sets.begin() + static_cast<std::ptrdiff_t>(lag * species));
    frame.coordinate_bound = std::max(frame.coordinate_bound, origin->coordinate_bound);
    later = later || layout_.lags[lag] > 0;
    const double time = frame.time - origin->moment.time;
    notes_.times[lag].add({time, time});
    const auto steps = static_cast<double>(frame.step - origin->moment.step);
    notes_.steps[lag].add({steps, steps});
    count_displacements(frame, *origin, lag, sums);
    count_same_pairs(frame, *origin, lag, sums);
  }
  if (later) {
    std::copy(stored_->begin(), stored_->end(),
              sets.end() - static_cast<std::ptrdiff_t>(species));
  }
  frame.positions = std::move(sets);
  frame.order.clear();
  return std::move(frame);
}

LaggedBlock LagWindow::finish(BlockCounts&& sets) {
  LaggedBlock block = so_far(std::move(sets));
  sums_.erase(sums_.begin(), sums_.upper_bound(block.pairs.index.get()));
  return block;
}

LaggedBlock LagWindow::so_far(BlockCounts&& sets) const {
  LaggedBlock block{std::move(sets), {}};
  const auto found = sums_.find(block.pairs.index.get());
  if (found == sums_.end()) {
    throw InternalError("a block has no sums of displacements");
  }
  const BlockSums& sums = found->second;
  BlockCounts& pairs = block.pairs;
  const std::uint32_t below = layout_.pairs.bins.below;
  for (std::size_t c = 0; c < layout_.channel_count(); ++c) {
    const std::vector<std::uint64_t>& same = sums.same[c];
    for (std::uint32_t k = 0; k < bins_.count; ++k) {
      (k < below ? pairs.underflow[c] : pairs.counts[c][k - below]) -= same[k];
    }
    pairs.out_of_range[c] -= same.back();
    pairs.pairs[c] -= sums.same_pairs[c];
    pairs.excluded[c] += sums.same_pairs[c];
    pairs.pairs_over_volume[c] = sums.pairs_over_volume[c];
  }
  pairs.particle_number = sums.particle_number;
  block.displacements = sums.displacements;
  return block;
}

}  // namespace starhist::driver
