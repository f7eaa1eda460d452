// Functions of starhist.h for counts between frames.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

namespace {

/// Displacements with this index, summed over the blocks that a number stands for.
DisplacementCounts displacements_of(Histogram& histogram, std::uint64_t block,
                                    std::size_t index) {
  const auto range = blocks_of(histogram, block);
  const auto of = [&](const BlockCounts& counted) {
    return histogram.displacements()[counted.index.get()][index];
  };
  std::vector<DisplacementCounts> sum{of(*range.first)};
  for (const auto* b = range.first + 1; b != range.end; ++b) {
    add_displacements({of(*b)}, sum);
  }
  return std::move(sum.front());
}

}  // namespace

starhist_status starhist_set_lags(starhist_histogram* histogram, size_t lags,
                                  const uint64_t* frames, uint64_t every_origin,
                                  int unwrapped) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (unwrapped != 0 && unwrapped != 1) {
      throw CallError(STARHIST_BAD_ARGUMENT,
                      "unwrapped is " + std::to_string(unwrapped) +
                          " (give 1 for continuous positions, or 0)");
    }
    if (lags == 0) {
      h.set_lags({});
      return;
    }
    check_pointer(frames, "frames");
    h.set_lags(LagCounting({frames, lags}, every_origin, unwrapped == 1));
  });
}

starhist_status starhist_get_pair_lag(starhist_histogram* histogram, size_t pair,
                                      uint64_t* lag) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(lag, "lag");
    const std::vector<std::uint64_t>& lags = h.lags().lags();
    *lag = lags[h.pair(pair).index() / (h.layout().pairs.size() / lags.size())];
  });
}

starhist_status starhist_get_displacements(starhist_histogram* histogram,
                                           uint64_t block, uint64_t lag, size_t species,
                                           size_t size, uint64_t* counts,
                                           uint64_t* out_of_range, uint64_t* particles,
                                           double* squares, uint64_t* frames,
                                           double* time) {
  return with_histogram(histogram, [&](Histogram& h) {
    const std::size_t index = h.lags().displacement(lag, h.species(species));
    if (counts != nullptr) {
      check_size(size, h.layout().bins.count, "bins");
    }
    const DisplacementCounts sum = displacements_of(h, block, index);
    if (counts != nullptr) {
      std::copy(sum.counts.begin(), sum.counts.end(), counts);
    }
    store(sum.out_of_range, out_of_range);
    store(sum.particles, particles);
    store(sum.squares, squares);
    store(sum.frames, frames);
    store(sum.time, time);
  });
}
