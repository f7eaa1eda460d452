/* A mixture whose box and composition change, as a simulation would hand it over: species,
 * pairs, labels, positions in single precision, results with errors.
 */
#include <starhist.h>

#include <stdio.h>
#include <stdlib.h>

enum { atoms = 600, bins = 8, frames = 40 };

/* A simulation's record; the position is one of its fields. */
struct atom {
  float mass;
  float position[3];
};

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

static void make_frame(struct atom *all, int32_t *labels, double box[9]) {
  const double edge = 2.0 + 0.1 * random_number();
  for (int k = 0; k < 9; ++k) {
    box[k] = 0.0;
  }
  box[0] = box[4] = box[8] = edge;
  box[3] = 0.5 * edge; /* b leans along a */
  for (int i = 0; i < atoms; ++i) {
    labels[i] = i % 3 == 0 ? 0 : random_number() < 0.01 ? -1 : 1;
    for (int c = 0; c < 3; ++c) {
      all[i].position[c] = (float)(edge * random_number());
    }
  }
}

static void print_pair(starhist_histogram *histogram, size_t pair) {
  double edges[bins + 1];
  double g[bins];
  double errors[bins];
  double n[bins];
  const char *name = NULL;
  const char *centre = NULL;
  size_t first = 0;
  size_t second = 0;
  check(starhist_get_pair_name(histogram, pair, &name));
  check(starhist_get_pair_species(histogram, pair, &first, &second));
  check(starhist_get_species_name(histogram, first, &centre));
  check(starhist_get_edges(histogram, bins + 1, edges));
  check(starhist_get_g(histogram, pair, STARHIST_PAIRS_OVER_VOLUME, bins, g, errors));
  check(starhist_get_coordination(histogram, pair, 0, bins, n, NULL));
  printf("%s: r, g(r), its error, particles around %s within r\n", name, centre);
  for (int k = 0; k < bins; ++k) {
    printf("%6.3f %7.4f %7.4f %8.3f\n", edges[k + 1], g[k], errors[k], n[k]);
  }
}

int main(void) {
  static struct atom all[atoms];
  static int32_t labels[atoms];
  const char *names[2] = {"O", "H"};
  const char *warning = NULL;
  double box[9];
  uint64_t blocks = 0;
  uint64_t hydrogens = 0;
  size_t pairs = 0;
  size_t oh = 0;
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;

  check(starhist_context_create(-1, 0, NULL, 0, &context));
  check(starhist_histogram_create(context, 0.8, bins, STARHIST_BOX_MATRIX, &histogram));
  check(starhist_set_species(histogram, 2, names));
  check(starhist_set_pairs(histogram, "O-O,O-H"));
  check(starhist_set_periodic(histogram, 1, 1, 1));
  check(starhist_set_frames_per_block(histogram, 10));
  check(starhist_set_expected_frames(histogram, frames));
  check(starhist_set_memory(histogram, (uint64_t)1 << 30));
  for (int frame = 0; frame < frames; ++frame) {
    make_frame(all, labels, box);
    check(starhist_set_labels(histogram, atoms, labels));
    check(starhist_add_frame_float(histogram, atoms, all[0].position,
                                   (ptrdiff_t)sizeof(struct atom),
                                   (ptrdiff_t)sizeof(float), box));
  }
  check(starhist_get_numbers(histogram, NULL, &blocks, NULL, &pairs, NULL));
  check(starhist_find_pair(histogram, "O-H", &oh));
  check(starhist_get_particles(histogram, STARHIST_ALL_BLOCKS, 1, &hydrogens));
  printf("%llu blocks, O-H is pair %zu of %zu, %.2f H in a frame\n",
         (unsigned long long)blocks, oh, pairs, (double)hydrogens / frames);
  for (size_t pair = 0; pair < pairs; ++pair) {
    print_pair(histogram, pair);
  }
  check(starhist_get_error_warning(histogram, &warning));
  if (*warning != '\0') {
    printf("warning: %s\n", warning);
  }
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
