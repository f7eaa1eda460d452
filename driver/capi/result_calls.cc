// Functions of starhist.h for names, settings and counts.
#include <algorithm>
#include <string>
#include <vector>

#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

starhist_status starhist_get_numbers(starhist_histogram* histogram, uint64_t* frames,
                                     uint64_t* blocks, size_t* species, size_t* pairs,
                                     size_t* bins) {
  return with_histogram(histogram, [&](Histogram& h) {
    const std::uint64_t block_count = h.blocks().size();
    store(h.frames(), frames);
    store(block_count, blocks);
    store(h.layout().species.size(), species);
    store(h.layout().pairs.size(), pairs);
    store<size_t>(h.layout().bins.count, bins);
  });
}

starhist_status starhist_get_pair_name(starhist_histogram* histogram, size_t pair,
                                       const char** name) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(name, "name");
    *name = h.pair_name(h.pair(pair).index()).c_str();
  });
}

starhist_status starhist_find_pair(starhist_histogram* histogram, const char* name,
                                   size_t* pair) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(name, "name");
    check_pointer(pair, "pair");
    *pair = h.find_pair(name);
  });
}

starhist_status starhist_get_edges(starhist_histogram* histogram, size_t size,
                                   double* edges) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(edges, "edges");
    const std::vector<double> values = bin_edges(h.layout().bins);
    check_size(size, values.size(), "edges");
    std::copy(values.begin(), values.end(), edges);
  });
}

starhist_status starhist_get_counts(starhist_histogram* histogram, uint64_t block,
                                    size_t pair, size_t size, uint64_t* counts,
                                    uint64_t* out_of_range, uint64_t* pairs) {
  return with_histogram(histogram, [&](Histogram& h) {
    const std::size_t p = h.pair(pair).index();
    if (counts != nullptr) {
      check_size(size, h.layout().bins.count, "bins");
    }
    const BlockRange range = blocks_of(h, block);
    if (counts != nullptr) {
      std::fill(counts, counts + size, 0);
    }
    std::uint64_t outside = 0;
    std::uint64_t all = 0;
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      outside += b->out_of_range[p];
      all += b->pairs[p];
      for (std::size_t k = 0; counts != nullptr && k < size; ++k) {
        counts[k] += b->counts[p][k];
      }
    }
    store(outside, out_of_range);
    store(all, pairs);
  });
}

starhist_status starhist_get_settings(starhist_histogram* histogram, double* r_max,
                                      uint32_t* frames_per_block,
                                      const char** length_unit,
                                      const char** time_unit) {
  return with_histogram(histogram, [&](Histogram& h) {
    store(h.layout().bins.r_max, r_max);
    store(h.options().frames_per_block, frames_per_block);
    store(h.layout().length_unit.c_str(), length_unit);
    store(h.layout().time_unit.c_str(), time_unit);
  });
}

starhist_status starhist_get_species_name(starhist_histogram* histogram, size_t species,
                                          const char** name) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(name, "name");
    *name = h.layout().species[h.species(species)].c_str();
  });
}

starhist_status starhist_get_pair_species(starhist_histogram* histogram, size_t pair,
                                          size_t* first, size_t* second) {
  return with_histogram(histogram, [&](Histogram& h) {
    const SpeciesPair species = h.layout().pairs[h.pair(pair).index()];
    store(species.first.index(), first);
    store(species.second.index(), second);
  });
}

starhist_status starhist_get_provenance(starhist_histogram* histogram, size_t index,
                                        const char** name, const char** value) {
  return with_histogram(histogram, [&](Histogram& h) {
    const auto& entries = h.provenance();
    if (index >= entries.size()) {
      throw CallError(STARHIST_BAD_ARGUMENT,
                      "no entry has the number " + std::to_string(index) +
                          " of the provenance (there are " +
                          std::to_string(entries.size()) + ", numbered from 0)");
    }
    store(entries[index].first.c_str(), name);
    store(entries[index].second.c_str(), value);
  });
}
