/* Counts between frames: van Hove functions and mean squared displacements of particles
 * that move by 0.1 nm along x in each step, wrapped into the box.
 */
#include <math.h>
#include <starhist.h>
#include <stdio.h>
#include <stdlib.h>

enum { atoms = 500, bins = 20, frames = 30, lags = 3 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

static double random_number(void) {
  static int64_t state = 7;
  state = (1103515245 * state + 12345) % 2147483648;
  return (double)state / 2147483648.0;
}

int main(void) {
  static double positions[atoms][3];
  const double box[3] = {2.0, 2.0, 2.0};      /* nm */
  const uint64_t in_frames[lags] = {0, 1, 5}; /* the lags */
  double g[bins];
  size_t pairs = 0;
  const char* warning = NULL;
  starhist_context* context = NULL;
  starhist_histogram* histogram = NULL;

  for (int k = 0; k < 3 * atoms; ++k) {
    positions[k / 3][k % 3] = 2.0 * random_number();
  }
  check(starhist_context_create(-1, 0, NULL, 0, &context));
  check(
      starhist_histogram_create(context, 1.0, bins, STARHIST_BOX_LENGTHS, &histogram));
  check(
      starhist_set_lags(histogram, lags, in_frames, 1, 0)); /* all frames are origins */
  check(starhist_set_frames_per_block(histogram, 10));
  for (int frame = 0; frame < frames; ++frame) {
    check(starhist_set_time(histogram, 100 * frame, 0.5 * frame)); /* ps */
    check(starhist_add_frame(histogram, atoms, &positions[0][0], 0, 0, box));
    for (int i = 0; i < atoms; ++i) {
      positions[i][0] = fmod(positions[i][0] + 0.1, 2.0);
    }
  }

  /* One species has one pair, so pair number l has lag number l. */
  check(starhist_get_numbers(histogram, NULL, NULL, NULL, &pairs, NULL));
  for (size_t pair = 0; pair < pairs; ++pair) {
    uint64_t lag = 0;
    uint64_t self[bins];
    uint64_t particles = 0;
    uint64_t origins = 0;
    double squares = 0.0;
    double time = 0.0;
    check(starhist_get_pair_lag(histogram, pair, &lag));
    check(starhist_get_displacements(histogram, STARHIST_ALL_BLOCKS, lag, 0, bins, self,
                                     NULL, &particles, &squares, &origins, &time));
    check(starhist_get_g(histogram, pair, STARHIST_PAIRS_OVER_VOLUME, bins, g, NULL));
    printf(
        "lag %llu, %.1f ps: %llu origins, mean squared displacement %.4f nm^2, "
        "distinct part at 0.5 nm %.1f\n",
        (unsigned long long)lag, time / (double)origins, (unsigned long long)origins,
        squares / (double)particles, g[bins / 2]);
  }
  check(starhist_get_error_warning(histogram, &warning));
  printf("warning: %s\n", warning);
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
