// Functions of starhist.h for counts by distance and second axis.
#include <algorithm>
#include <string>
#include <vector>

#include "driver/capi/handles.hh"
#include "driver/capi/second_axis_rules.hh"

using namespace starhist;
using namespace starhist::capi;

namespace {

const SecondAxis& axis_of(const Histogram& h) {
  if (!h.layout().second) {
    throw CallError(STARHIST_WRONG_STATE,
                    "pairs are counted by distance only (call starhist_set_second_axis "
                    "before the first frame)");
  }
  return *h.layout().second;
}

}  // namespace

starhist_status starhist_set_second_axis(starhist_histogram* histogram, int quantity,
                                         uint32_t bins, double limit) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (quantity == STARHIST_NO_SECOND_AXIS) {
      h.set_second_axis({});
    } else {
      h.set_second_axis(make_second_axis(quantity, bins, limit));
    }
  });
}

starhist_status starhist_get_second_axis(starhist_histogram* histogram, int* quantity,
                                         uint32_t* bins, double* limit) {
  return with_histogram(histogram, [&](Histogram& h) {
    const auto& axis = h.layout().second;
    store<int>(axis ? quantity_of(*axis) : STARHIST_NO_SECOND_AXIS, quantity);
    store(axis ? axis->count : 0U, bins);
    store(axis ? axis->limit : 0.0, limit);
  });
}

starhist_status starhist_get_second_edges(starhist_histogram* histogram, size_t size,
                                          double* edges) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(edges, "edges");
    const SecondAxis& axis = axis_of(h);
    check_size(size, std::size_t{axis.count} + 1, "edges");
    if (h.layout().plane != Plane::none && !axis.along_normal()) {
      throw CallError(
          STARHIST_NO_FRAMES,
          "the range of the second axis follows from the first frame, which "
          "is missing (add it, or pass a limit to "
          "starhist_set_second_axis)");
    }
    const std::vector<double> values = axis.edges(h.layout().bins.r_max);
    std::copy(values.begin(), values.end(), edges);
  });
}

starhist_status starhist_get_second_counts(starhist_histogram* histogram,
                                           uint64_t block, size_t pair, size_t size,
                                           uint64_t* counts) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(counts, "counts");
    const SecondAxis& axis = axis_of(h);
    const std::size_t p = h.pair(pair).index();
    check_size(size, std::size_t{h.layout().bins.count} * axis.count,
               "bins of the distance times bins of the second axis");
    const BlockRange range = blocks_of(h, block);
    std::fill(counts, counts + size, 0);
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      for (std::size_t k = 0; k < size; ++k) {
        counts[k] += b->second[p][k / axis.count * axis.columns() + k % axis.count];
      }
    }
  });
}

starhist_status starhist_get_pairs_over_space(starhist_histogram* histogram,
                                              uint64_t block, size_t pair, double* sum,
                                              double* half_period) {
  return with_histogram(histogram, [&](Histogram& h) {
    axis_of(h);
    const std::size_t p = h.pair(pair).index();
    if (h.layout().plane == Plane::none) {
      throw CallError(STARHIST_WRONG_STATE,
                      "distances are measured in space (call "
                      "starhist_get_pairs_over_volume)");
    }
    const BlockRange range = blocks_of(h, block);
    double over_space = 0.0;
    double smallest = range.first->half_period;
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      over_space += b->pairs_over_space[p];
      smallest = std::min(smallest, b->half_period);
    }
    store(over_space, sum);
    store(smallest, half_period);
  });
}
