/* g(r) of an ideal gas: the smallest program with libstarhist.
 *
 *     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist)
 *     cc first.c $(pkg-config --cflags --libs libstarhist) $rpath -o first
 */
#include <starhist.h>

#include <stdio.h>
#include <stdlib.h>

enum { particles = 1000, bins = 10, frames = 20 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

/* A number in [0, 1), the same sequence in every language. */
static double random_number(void) {
  static int64_t state = 1;
  state = (1103515245 * state + 12345) % 2147483648;
  return (double)state / 2147483648.0;
}

int main(void) {
  static double positions[particles][3];
  const double box[3] = {1.0, 1.0, 1.0};
  uint64_t counts[bins];
  uint64_t out_of_range = 0;
  double g[bins];
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;

  check(starhist_context_create(-1, 0, NULL, 0, &context));
  check(starhist_histogram_create(context, 0.5, bins, STARHIST_BOX_LENGTHS, &histogram));
  for (int frame = 0; frame < frames; ++frame) {
    for (int i = 0; i < particles; ++i) {
      for (int c = 0; c < 3; ++c) {
        positions[i][c] = random_number();
      }
    }
    check(starhist_add_frame(histogram, particles, &positions[0][0], 0, 0, box));
  }
  check(starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, 0, bins, counts,
                            &out_of_range, NULL));
  check(starhist_get_g(histogram, 0, STARHIST_PAIRS_OVER_VOLUME, bins, g, NULL));
  for (int k = 0; k < bins; ++k) {
    printf("%10llu %8.4f\n", (unsigned long long)counts[k], g[k]);
  }
  printf("%10llu\n", (unsigned long long)out_of_range);
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
