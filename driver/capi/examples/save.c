/* Saves a histogram as a result file, which `starhist export FILE` reads.
 *
 *     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist_file)
 *     cc save.c $(pkg-config --cflags --libs libstarhist_file) $rpath -o save
 *     ./save FILE
 */
#include <starhist_file.h>

#include <stdio.h>
#include <stdlib.h>

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

int main(int count, char **arguments) {
  /* A cube of 8 particles in a larger cube. */
  double positions[8][3];
  const double box[3] = {4.0, 4.0, 4.0};
  const char *name = NULL;
  const char *value = NULL;
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;

  if (count != 2) {
    fprintf(stderr, "usage: save FILE\n");
    return 1;
  }
  for (int i = 0; i < 8; ++i) {
    positions[i][0] = i & 1;
    positions[i][1] = (i >> 1) & 1;
    positions[i][2] = (i >> 2) & 1;
  }
  check(starhist_context_create(1, 0, NULL, 0, &context));
  check(starhist_histogram_create(context, 2.0, 4, STARHIST_BOX_LENGTHS, &histogram));
  check(starhist_add_frame(histogram, 8, &positions[0][0], 0, 0, box));
  check(starhist_get_provenance(histogram, 0, &name, &value));
  printf("%s: %s\n", name, value);
  check(starhist_save(histogram, arguments[1], 0));
  if (starhist_save(histogram, arguments[1], 0) == STARHIST_FILE_ERROR) {
    printf("%s\n", starhist_last_error());
    starhist_set_last_error(NULL); /* as a library built on this one could */
  }
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
