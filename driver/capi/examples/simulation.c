/* Counting during a simulation: StarPU's workers sleep while it computes, each full block
 * is read at once, and the program recovers from an error.
 */
#include <starhist.h>

#include <stdio.h>
#include <stdlib.h>

enum { particles = 400, bins = 5, steps = 30 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

static double random_number(void) {
  static int64_t state = 3;
  state = (1103515245 * state + 12345) % 2147483648;
  return (double)state / 2147483648.0;
}

static void simulate_one_step(double *positions) {
  for (int k = 0; k < 3 * particles; ++k) {
    positions[k] = random_number();
  }
}

static void print_block(starhist_histogram *histogram, uint64_t block) {
  starhist_block sums;
  uint64_t counts[bins];
  double pairs_over_volume = 0.0;
  check(starhist_get_block(histogram, block, &sums));
  check(starhist_get_counts(histogram, block, 0, bins, counts, NULL, NULL));
  check(starhist_get_pairs_over_volume(histogram, block, 0, &pairs_over_volume));
  printf("frames %llu to %llu, up to step %lld: %llu pairs in the first bin, %.0f pairs/V\n",
         (unsigned long long)sums.first_frame, (unsigned long long)sums.last_frame,
         (long long)sums.last_step, (unsigned long long)counts[0],
         pairs_over_volume / (double)sums.frames);
}

int main(void) {
  static double positions[3 * particles];
  const double box[3] = {1.0, 1.0, 1.0};
  const double no_box[3] = {1.0, 1.0, 0.0};
  const uint64_t numbers[2] = {100, 300};
  const char *names[2] = {"A", "B"};
  const char *length = NULL;
  double r_max = 0.0;
  uint32_t frames_per_block = 0;
  int shared = 0;
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;

  printf("libstarhist %c\n", starhist_version()[0]);
  check(starhist_context_create(-1, 0, "lws", 0, &context));
  check(starhist_context_workers(context, NULL, NULL, &shared));
  check(starhist_histogram_create(context, 0.5, bins, STARHIST_BOX_LENGTHS, &histogram));
  check(starhist_set_species(histogram, 2, names));
  check(starhist_set_species_counts(histogram, 2, numbers));
  check(starhist_set_frames_per_block(histogram, 10));
  check(starhist_set_units(histogram, "nm", "ps"));
  check(starhist_get_settings(histogram, &r_max, &frames_per_block, &length, NULL));
  printf("r_max %.1f %s, %u frames per block, StarPU is %s\n", r_max, length,
         (unsigned)frames_per_block, shared ? "the host's" : "our own");
  for (int step = 0; step < steps; ++step) {
    if (!shared) {
      check(starhist_context_pause(context));
    }
    simulate_one_step(positions);
    if (!shared) {
      check(starhist_context_resume(context));
    }
    check(starhist_set_time(histogram, 1000 + 50 * step, 0.1 * step));
    check(starhist_add_frame(histogram, particles, positions, 0, 0, box));
    if ((step + 1) % 10 == 0) {
      print_block(histogram, (uint64_t)step / 10);
    }
  }
  if (starhist_add_frame(histogram, particles, positions, 0, 0, no_box) ==
      STARHIST_BAD_BOX) {
    printf("refused: %s\n", starhist_last_error());
  }
  check(starhist_reset(histogram));
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
