/* Distances in the plane of a film, in bins of equal ratio of their edges, and along its
 * normal: pairs of particles on a square lattice, at heights of 0 to 0.6 nm.
 */
#include <starhist.h>

#include <stdio.h>
#include <stdlib.h>

enum { side = 10, bins = 3, height_bins = 2 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

int main(void) {
  double positions[side * side][3];
  const double box[3] = {side, side, 3.0 * side}; /* nm */
  double edges[bins + 1] = {0.8};
  double heights[height_bins + 1];
  uint64_t counts[bins];
  uint64_t by_height[bins][height_bins];
  double g[bins];
  int has_edges = 0;
  int plane = STARHIST_SPACE;
  int quantity = STARHIST_NO_SECOND_AXIS;
  uint32_t set_bins = 0;
  double limit = 0.0;
  double pairs_over_space = 0.0;
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;

  for (int i = 0; i < side * side; ++i) {
    positions[i][0] = i % side;
    positions[i][1] = i / side;
    positions[i][2] = 0.1 * (i % 7);
  }
  for (int k = 0; k < bins; ++k) {
    edges[k + 1] = 1.5 * edges[k];
  }
  check(starhist_context_create(1, 0, NULL, 0, &context));
  check(starhist_histogram_create(context, 1.0, 1, STARHIST_BOX_LENGTHS, &histogram));
  check(starhist_set_edges(histogram, bins + 1, edges)); /* replace r_max and 1 bin */
  check(starhist_set_plane(histogram, STARHIST_PLANE_XY));
  check(starhist_set_second_axis(histogram, STARHIST_SEPARATION_Z, height_bins, 0.5));
  check(starhist_add_frame(histogram, side * side, &positions[0][0], 0, 0, box));
  check(starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, 0, bins, counts, NULL, NULL));
  check(starhist_get_g(histogram, 0, STARHIST_PAIRS_OVER_VOLUME, bins, g, NULL));
  check(starhist_has_edges(histogram, &has_edges));
  check(starhist_get_plane(histogram, &plane));
  printf("%s, %s\n", has_edges ? "edges are set" : "bins of equal width",
         plane == STARHIST_PLANE_XY ? "in the plane xy" : "in another plane or space");
  for (int k = 0; k < bins; ++k) {
    printf("%.2f to %.2f nm: %llu pairs, g %.3f\n", edges[k], edges[k + 1],
           (unsigned long long)counts[k], g[k]);
  }
  check(starhist_get_second_axis(histogram, &quantity, &set_bins, &limit));
  check(starhist_get_second_edges(histogram, height_bins + 1, heights));
  check(starhist_get_second_counts(histogram, STARHIST_ALL_BLOCKS, 0, bins * height_bins,
                                   &by_height[0][0]));
  check(starhist_get_pairs_over_space(histogram, STARHIST_ALL_BLOCKS, 0, &pairs_over_space,
                                      NULL));
  printf("%s in %u bins up to %.2f nm, %.2f pairs per nm^3\n",
         quantity == STARHIST_SEPARATION_Z ? "separation along z" : "another quantity",
         (unsigned)set_bins, limit, pairs_over_space);
  for (int c = 0; c < height_bins; ++c) {
    printf("%.2f to %.2f nm, %.2f to %.2f nm along z: %llu pairs\n", edges[0], edges[1],
           heights[c], heights[c + 1], (unsigned long long)by_height[0][c]);
  }
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
