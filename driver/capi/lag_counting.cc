#include "driver/capi/lag_counting.hh"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/far_positions.hh"
#include "driver/capi/call.hh"

namespace starhist::capi {
namespace {

constexpr std::size_t most_lags = 10'000;

}  // namespace

LagCounting::LagCounting(std::span<const std::uint64_t> lags,
                         std::uint64_t every_origin, bool unwrapped) {
  if (lags.size() > most_lags) {
    throw CallError(STARHIST_BAD_ARGUMENT, std::to_string(lags.size()) +
                                               " lags are too many (at most " +
                                               std::to_string(most_lags) + ")");
  }
  const auto at = std::adjacent_find(lags.begin(), lags.end(), std::greater_equal<>());
  if (at != lags.end()) {
    throw CallError(STARHIST_BAD_ARGUMENT, "lag " + std::to_string(*(at + 1)) +
                                               " follows lag " + std::to_string(*at) +
                                               " (give lags in rising order, each "
                                               "once)");
  }
  if (every_origin == 0) {
    throw CallError(STARHIST_BAD_ARGUMENT,
                    "every 0th frame is an origin (give 1 for all frames)");
  }
  layout_.lags.assign(lags.begin(), lags.end());
  options_.every_origin = every_origin;
  options_.unwrapped = unwrapped;
}

std::size_t LagCounting::number_of(std::uint64_t lag) const {
  const auto at = std::lower_bound(lags().begin(), lags().end(), lag);
  if (at == lags().end() || *at != lag) {
    throw CallError(STARHIST_BAD_ARGUMENT,
                    "lag " + std::to_string(lag) +
                        " is not counted (choose one given to starhist_set_lags)");
  }
  return static_cast<std::size_t>(at - lags().begin());
}

std::size_t LagCounting::displacement(std::uint64_t lag, std::size_t species) const {
  return layout_.displacement(number_of(lag),
                              SpeciesId(static_cast<std::uint32_t>(species)));
}

HistogramLayout LagCounting::start(const HistogramLayout& pairs, const Frame& first,
                                   tasks::CountingOptions& options) {
  layout_.pairs = pairs;
  options_.frames_per_block = options.frames_per_block;
  particles_ = first.particle_count();
  const std::uint64_t bytes =
      driver::LagWindow::origin_bytes(layout_, options_, particles_);
  if (bytes > options.memory_bytes / 2) {
    throw CallError(STARHIST_OUT_OF_MEMORY,
                    "the origins of lag " + std::to_string(lags().back()) + " take " +
                        grouped(bytes) +
                        " bytes, more than half of the memory (choose shorter lags or "
                        "fewer origins with starhist_set_lags, or allow more memory "
                        "with starhist_set_memory)");
  }
  options.memory_bytes -= bytes;
  // Labels suit particle numbers that are the same in all frames, which sets are not.
  options.labels = tasks::Labelling::off;
  window_ = std::make_unique<driver::LagWindow>(layout_, options_);
  return sets_of(layout_);
}

Frame LagCounting::pair(Frame&& frame, std::uint64_t number) {
  Frame sets = window_->add(std::move(frame), number);
  const double r_max = layout_.pairs.bins.r_max;
  if (!all_near(sets.coordinate_bound, sets.box, r_max)) {
    for (const std::vector<double>& positions : sets.positions) {
      if (find_far_position(positions, sets.box, r_max)) {
        throw CallError(STARHIST_BAD_POSITION,
                        "a position of an earlier frame is too far away for distances "
                        "in the box of frame " +
                            std::to_string(number) +
                            " in double precision (more than 2^32 box lengths: wrap "
                            "positions into the box)");
      }
    }
  }
  return sets;
}

LaggedBlock LagCounting::finish(BlockCounts&& sets, bool full) {
  return full ? window_->finish(std::move(sets)) : window_->so_far(std::move(sets));
}

void LagCounting::check(std::uint64_t particles) const {
  if (window_ != nullptr && particles != particles_) {
    throw CallError(STARHIST_BAD_COUNT,
                    "the frame has " + std::to_string(particles) +
                        " particles, and the first frame has " +
                        std::to_string(particles_) +
                        " (with lags particles are followed from frame to frame: pass "
                        "the same particles in the same order)");
  }
}

std::string LagCounting::warning() const {
  if (window_ == nullptr) {
    return "";
  }
  const driver::LagNotes& notes = window_->notes();
  if (notes.jumps.axis() >= 0 && !(options_.unwrapped && notes.long_steps.count > 0)) {
    return to_sentence(notes.jumps) + ": set the box of the simulation in each frame";
  }
  if (notes.long_steps.count == 0) {
    return "";
  }
  return to_sentence(notes.long_steps, options_.unwrapped) +
         (options_.unwrapped
              ? ": let starhist_set_lags follow the particles (unwrapped = 0)"
              : ": add more frequent frames, or call starhist_set_lags with unwrapped "
                "= "
                "1 if the positions are not wrapped");
}

}  // namespace starhist::capi
