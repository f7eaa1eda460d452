// Functions of starhist.h for the bins of distances.
#include <string>
#include <vector>

#include "driver/capi/handles.hh"

using starhist::max_explicit_bins;
using starhist::capi::CallError;
using starhist::capi::check_pointer;
using starhist::capi::Histogram;
using starhist::capi::with_histogram;

starhist_status starhist_set_edges(starhist_histogram* histogram, size_t size,
                                   const double* edges) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (size > max_explicit_bins + 1) {  // do not read so many
      throw CallError(STARHIST_BAD_ARGUMENT,
                      std::to_string(size) + " edges are too many (at most " +
                          std::to_string(max_explicit_bins + 1) +
                          "; starhist_histogram_create makes more bins, of equal "
                          "width)");
    }
    if (size == 0) {
      h.set_edges({});
      return;
    }
    check_pointer(edges, "edges");
    h.set_edges(std::vector<double>(edges, edges + size));
  });
}

starhist_status starhist_has_edges(starhist_histogram* histogram, int* has_edges) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(has_edges, "has_edges");
    *has_edges = h.layout().bins.uniform() ? 0 : 1;
  });
}
