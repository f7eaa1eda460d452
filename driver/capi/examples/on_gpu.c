/* Counts positions in place: in the memory of a GPU, otherwise in main memory.
 *
 *     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist)
 *     cc on_gpu.c $(pkg-config --cflags --libs libstarhist) $rpath -o on_gpu
 *
 * With CUDA, and a libstarhist that was built with it:
 *
 *     cc -DWITH_CUDA -I/usr/local/cuda/include on_gpu.c -L/usr/local/cuda/lib64 -lcudart \
 *        $(pkg-config --cflags --libs libstarhist) $rpath -o on_gpu
 */
#include <starhist.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_CUDA
#include <cuda_runtime_api.h>
#endif

enum { particles = 1000, bins = 10 };

static void check(starhist_status status) {
  if (status != STARHIST_OK) {
    fprintf(stderr, "%s: %s\n", starhist_status_name(status), starhist_last_error());
    exit(1);
  }
}

/* A simulation would have its positions on the GPU. */
static const double *on_gpu(const double *positions, size_t bytes) {
#ifdef WITH_CUDA
  void *copy = NULL;
  if (cudaMalloc(&copy, bytes) != cudaSuccess ||
      cudaMemcpy(copy, positions, bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
    fprintf(stderr, "there is no GPU\n");
    exit(1);
  }
  return copy;
#else
  (void)bytes;
  return positions;
#endif
}

int main(void) {
  static double positions[particles][3];
  static const float single[2][3] = {{0.1F, 0.1F, 0.1F}, {0.1F, 0.1F, 0.3F}};
  const double box[3] = {1.0, 1.0, 1.0};
  starhist_context *context = NULL;
  starhist_histogram *histogram = NULL;
  starhist_status status = STARHIST_OK;
  uint64_t counts[bins];
  uint64_t pairs = 0;

  for (int i = 0; i < 3 * particles; ++i) {
    positions[i / 3][i % 3] = (double)(i * 7919 % 10007) / 10007.0;
  }
  check(starhist_context_create(-1, -1, NULL, 0, &context));
  check(starhist_histogram_create(context, 0.5, bins, STARHIST_BOX_LENGTHS, &histogram));

  /* NULL: the default stream produces the positions. */
  status = starhist_add_gpu_frame(histogram, particles,
                                  on_gpu(&positions[0][0], sizeof positions), 0, 0, NULL,
                                  box);
  if (status == STARHIST_NO_GPU || status == STARHIST_BAD_ARGUMENT) {
    printf("refused: %s\n", starhist_last_error());
    status = starhist_add_frame(histogram, particles, &positions[0][0], 0, 0, box);
  }
  check(status);

  /* Main memory is not GPU memory. */
  if (starhist_add_gpu_frame_float(histogram, 2, &single[0][0], 0, 0, NULL, box) ==
      STARHIST_OK) {
    return 1;
  }
  check(starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, 0, bins, counts, NULL,
                            &pairs));
  printf("%llu pairs\n", (unsigned long long)pairs);
  starhist_histogram_destroy(histogram);
  starhist_context_destroy(context);
  return 0;
}
