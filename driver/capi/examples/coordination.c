/* Counts the neighbours of each particle: chloride around sodium in a crystal of 4 x 4
 * x 4 ions, from which one chloride ion is missing.
 */
#include <starhist.h>
#include <stdio.h>
#include <stdlib.h>

enum { edge = 4, ions = edge * edge * edge, frames = 3 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

int main(void) {
  double positions[ions][3];
  int32_t labels[ions];
  const double box[3] = {2.0, 2.0, 2.0}; /* nm; ions are 0.5 nm apart */
  const char* names[2] = {"Na", "Cl"};
  /* Cl around Na, and Na around Na. */
  const size_t centres[2] = {0, 0};
  const size_t neighbours[2] = {1, 0};
  const double cutoffs[2] = {0.6, 0.8};
  uint64_t of_ion[ions];
  starhist_context* context = NULL;
  starhist_histogram* histogram = NULL;

  for (int i = 0; i < ions; ++i) {
    const int at[3] = {i % edge, i / edge % edge, i / edge / edge};
    for (int c = 0; c < 3; ++c) {
      positions[i][c] = 0.5 * at[c];
    }
    labels[i] = (at[0] + at[1] + at[2]) % 2;
  }
  labels[1] = -1; /* missing */
  check(starhist_context_create(2, 0, NULL, 0, &context));
  /* r_max and bins are of no use without pairs. */
  check(starhist_histogram_create(context, 1.0, 1, STARHIST_BOX_LENGTHS, &histogram));
  check(starhist_set_species(histogram, 2, names));
  check(starhist_set_shells(histogram, 2, centres, neighbours, cutoffs));
  check(starhist_set_labels(histogram, ions, labels));
  for (int frame = 0; frame < frames; ++frame) {
    check(starhist_set_time(histogram, 100 * frame, 0.5 * frame)); /* ps */
    check(starhist_add_frame(histogram, ions, &positions[0][0], 0, 0, box));
  }

  for (size_t shell = 0; shell < 2; ++shell) {
    const char* centre = NULL;
    const char* neighbour = NULL;
    size_t first = 0;
    size_t second = 0;
    size_t most = 0;
    double cutoff = 0.0;
    double time = 0.0;
    uint64_t particles = 0;
    uint64_t sum = 0;
    uint64_t counts[20];
    check(starhist_get_shell(histogram, shell, &first, &second, &cutoff));
    check(starhist_get_species_name(histogram, first, &centre));
    check(starhist_get_species_name(histogram, second, &neighbour));
    check(starhist_get_neighbours(histogram, STARHIST_ALL_BLOCKS, shell, 20, counts,
                                  &most));
    printf("%s around %s within %.1f nm:", neighbour, centre, cutoff);
    for (size_t n = 0; n <= most; ++n) {
      if (counts[n] > 0) {
        printf(" %llu have %zu,", (unsigned long long)counts[n], n);
      }
    }
    check(starhist_get_frame_neighbours(histogram, 1, shell, &time, &particles, &sum));
    printf(" mean at %.1f ps %.4f\n", time, (double)sum / (double)particles);
  }
  check(starhist_get_particle_neighbours(histogram, 0, ions, of_ion, NULL));
  printf("ion 0 has %llu in %d frames\n", (unsigned long long)of_ion[0], frames);
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
