// Functions of starhist.h for bins between edges, and for distances in a plane.
#include <string>
#include <vector>

#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

static_assert(static_cast<int>(Plane::none) == STARHIST_SPACE &&
              static_cast<int>(Plane::xy) == STARHIST_PLANE_XY &&
              static_cast<int>(Plane::xz) == STARHIST_PLANE_XZ &&
              static_cast<int>(Plane::yz) == STARHIST_PLANE_YZ);

starhist_status starhist_set_edges(starhist_histogram* histogram, size_t size,
                                   const double* edges) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (size > max_explicit_bins + 1) {  // checked before the edges are copied
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

starhist_status starhist_set_plane(starhist_histogram* histogram, int plane) {
  return with_histogram(histogram, [&](Histogram& h) {
    for (const Plane known : {Plane::none, Plane::xy, Plane::xz, Plane::yz}) {
      if (plane == static_cast<int>(known)) {
        h.set_plane(known);
        return;
      }
    }
    throw CallError(STARHIST_BAD_ARGUMENT, "plane " + std::to_string(plane) +
                                               " is unknown (see starhist_plane)");
  });
}

starhist_status starhist_get_plane(starhist_histogram* histogram, int* plane) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(plane, "plane");
    *plane = static_cast<int>(h.layout().plane);
  });
}
