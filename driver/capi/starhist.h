/* libstarhist: pair-distance histograms of particles and radial distribution functions,
 * frame by frame, on StarPU.
 *
 *     starhist_context *context;
 *     starhist_histogram *histogram;
 *     starhist_context_create(-1, -1, NULL, 0, &context);
 *     starhist_histogram_create(context, 1.0, 200, STARHIST_BOX_LENGTHS, &histogram);
 *     for (each frame)
 *       starhist_add_frame(histogram, particles, positions, 0, 0, box);
 *     starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, 0, 200, counts, NULL, NULL);
 *     starhist_histogram_destroy(histogram);
 *     starhist_context_destroy(context);
 *
 * Lengths are in any one unit, that of r_max, positions and boxes alike.
 *
 * Errors. Every function that returns a starhist_status returns STARHIST_OK or says
 * what is wrong; starhist_last_error() has a sentence about it. A function that does
 * not return STARHIST_OK has written nothing to its arguments and has not changed the
 * histogram, unless it says otherwise. No function prints, ends the process, changes
 * the environment or installs signal handlers. (StarPU itself prints warnings on
 * standard error, unless STARPU_SILENT=1, and aborts the process where a GPU fails.)
 *
 * Ownership. What `create` returns belongs to the caller, who gives it to `destroy`.
 * Arrays that are passed in are read or filled during the call, and not kept. Texts
 * that are returned as const char * belong to the library.
 *
 * Threads. Any thread may call. Calls with histograms of the same context wait for each
 * other. A handle must not be used during or after its destruction.
 *
 * Processes. After fork() the child must not use what its parent has created; functions
 * return STARHIST_FORKED there, and `destroy` does nothing.
 */
#ifndef STARHIST_H
#define STARHIST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define STARHIST_API __attribute__((visibility("default")))
#else
#define STARHIST_API
#endif

/* Values never change. Later versions may add some. */
typedef enum starhist_status {
  /* Done. */
  STARHIST_OK = 0,
  /* A pointer that must not be NULL is NULL. */
  STARHIST_NULL_POINTER = 1,
  /* A number or a name has no possible value, such as r_max = 0 or an unknown
   * normalisation. */
  STARHIST_BAD_ARGUMENT = 2,
  /* A pair of species does not exist: its number is too large, or a name in a list of
   * pairs is no pair of these species. */
  STARHIST_UNKNOWN_PAIR = 3,
  /* A position is NaN, infinite, or so far away that a double has too few digits for
   * distances: more than 2^32 box lengths, or r_max where there is no box. */
  STARHIST_BAD_POSITION = 4,
  /* A box cannot be one: a length that is NaN, infinite, zero or negative, edges that
   * lie in one plane or are left-handed, NULL with periodic axes; or r_max is more than
   * twice the largest distance in it, which is nearly always a wrong unit. */
  STARHIST_BAD_BOX = 5,
  /* The number of particles is not that of the labels or species counts; or labels are
   * missing and there are several species. */
  STARHIST_BAD_COUNT = 6,
  /* A label is not the number of a species and not -1. */
  STARHIST_BAD_LABEL = 7,
  /* The size of an array is not the number of its values, such as bins. */
  STARHIST_BAD_SIZE = 8,
  /* The call does not fit here: a setting after the first frame, a second context, a
   * StarPU of the host program that is paused. */
  STARHIST_WRONG_STATE = 9,
  /* g(r) needs a volume, but the boxes are not periodic along all axes. */
  STARHIST_NO_VOLUME = 10,
  /* There is no frame or no such block yet. */
  STARHIST_NO_FRAMES = 11,
  /* Memory is exhausted, or starhist_set_memory() allows too little. */
  STARHIST_OUT_OF_MEMORY = 12,
  /* StarPU cannot start, has no worker that can count, or has failed. */
  STARHIST_STARPU_FAILED = 13,
  /* StarPU runs already and was not to be shared; or the call would change a StarPU
   * that belongs to the host program. */
  STARHIST_STARPU_SHARED = 14,
  /* The process is a child, by fork(), of the one that has created the handle. */
  STARHIST_FORKED = 15,
  /* A file cannot be written (starhist_file.h). */
  STARHIST_FILE_ERROR = 16,
  /* An earlier call has failed while counting: the histogram has no counts any more.
   * starhist_reset() makes it usable again. */
  STARHIST_BROKEN = 17,
  /* A bug in starhist. Please report it with the text of starhist_last_error(). */
  STARHIST_INTERNAL_ERROR = 18,
  /* Positions are on a GPU on which no worker counts, or this build has no CUDA. */
  STARHIST_NO_GPU = 19
} starhist_status;

/* StarPU with its workers. */
typedef struct starhist_context starhist_context;
/* Settings and counts. */
typedef struct starhist_histogram starhist_histogram;

/* What `box` of starhist_add_frame() has. */
typedef enum starhist_box_kind {
  STARHIST_BOX_NONE = 0,    /* nothing, NULL: no periodic images */
  STARHIST_BOX_LENGTHS = 1, /* 3 lengths, along x, y and z */
  STARHIST_BOX_ANGLES = 2,  /* 3 lengths, then the angles alpha, beta, gamma [degrees]:
                             * a along x, b in the xy plane */
  STARHIST_BOX_MATRIX = 3   /* 9 numbers, 3 rows: the edges a, b and c. Fortran, whose
                             * matrices are column by column: h(:,1) is a */
} starhist_box_kind;

/* How counts and volumes of several frames make g(r). They agree when volume and
 * particle numbers are constant. */
typedef enum starhist_normalization {
  STARHIST_PAIRS_OVER_VOLUME = 0, /* sum n / sum(P/V) / shell: GROMACS, mdtraj */
  STARHIST_MEAN_VOLUME = 1,       /* mean volume: MDAnalysis */
  STARHIST_PER_FRAME = 2 /* mean of each frame's g(r): VMD, LAMMPS. Blocks of one
                          * frame, or constant volume and numbers in each block */
} starhist_normalization;

/* As number of a block: all together. */
#define STARHIST_ALL_BLOCKS UINT64_MAX

/* Flags of starhist_context_create(). */
/* STARHIST_STARPU_SHARED is returned where StarPU runs already. */
#define STARHIST_REFUSE_RUNNING 1u
/* Workers poll between calls: no delay, but all their cores are busy. */
#define STARHIST_STAY_AWAKE 2u
/* One worker for each NUMA domain, whose tasks use all its cores. */
#define STARHIST_TEAMS 4u

/* ---- Library ---- */

/* Version of the library, such as "0.2.0". */
STARHIST_API const char* starhist_version(void);

/* Name of a status, such as "STARHIST_BAD_BOX"; "unknown status" for other numbers. */
STARHIST_API const char* starhist_status_name(int status);

/* What went wrong in the last call of this thread that did not return STARHIST_OK, as a
 * sentence: problem (why it is one). "" before the first one. The text stays until the
 * next such call of the thread. Never NULL. */
STARHIST_API const char* starhist_last_error(void);

/* ---- Context ---- */

/* Starts StarPU, or shares one that runs already in this process.
 *
 * cpu_workers: number of workers on cores, threads of this process; -1: all cores.
 * gpus: number of GPUs at most; -1: all that work. scheduler: StarPU's name of one,
 * such as "lws"; NULL: a suitable one. flags: 0 or a sum of those above.
 *
 * StarPU's variables (STARPU_NCPU, STARPU_NCUDA, STARPU_SCHED, ...) win over the
 * arguments. Worth setting before the process starts: STARPU_SILENT=1, with StarPU 1.3
 * STARPU_WORKERS_GETBIND=1, with GPUs STARPU_NWORKER_PER_CUDA=2. Programs that run side
 * by side need STARPU_WORKERS_NOBIND=1, else their workers share the first cores.
 *
 * Where StarPU runs already it is used as it is, and the arguments but the flags do not
 * matter. It must not be paused: STARHIST_WRONG_STATE with StarPU 1.4; StarPU 1.3
 * does not tell, and calls that wait for counts do not return.
 *
 * The thread's current GPU stays. At its first start on a machine StarPU measures
 * copies to GPUs; one that scripts/setup/build_starpu.sh has not made then resets them,
 * which frees all memory that the process has there.
 *
 * A process has one context at a time, which all its histograms use.
 *
 * STARHIST_BAD_ARGUMENT, STARHIST_WRONG_STATE (there is a context, or StarPU is
 * paused), STARHIST_STARPU_FAILED, STARHIST_STARPU_SHARED, STARHIST_FORKED (there is a
 * context of the parent). */
STARHIST_API starhist_status starhist_context_create(int cpu_workers, int gpus,
                                                     const char* scheduler,
                                                     unsigned flags,
                                                     starhist_context** context);

/* Gives the context back. StarPU ends, and saves its performance models, with the last
 * of context and histograms. NULL is allowed. */
STARHIST_API void starhist_context_destroy(starhist_context* context);

/* Number of workers on cores and on GPUs, and whether StarPU was running before (1 or
 * 0). Each pointer may be NULL. */
STARHIST_API starhist_status starhist_context_workers(const starhist_context* context,
                                                      size_t* cpu_workers,
                                                      size_t* gpu_workers, int* shared);

/* Waits until nothing is being counted, then puts the workers to sleep. The next call
 * that needs them wakes them. Does nothing with STARHIST_STAY_AWAKE.
 *
 * Without it they sleep by themselves some 10 ms after the last call, unless the flag
 * STARHIST_STAY_AWAKE is set. STARHIST_STARPU_SHARED where StarPU was running before:
 * pausing it is for the program that has started it. */
STARHIST_API starhist_status starhist_context_pause(starhist_context* context);

/* Wakes the workers, so that the next frame need not wait for them. */
STARHIST_API starhist_status starhist_context_resume(starhist_context* context);

/* ---- Histogram: settings ---- */

/* A histogram with `bins` bins of equal width on [0, r_max): bin k holds the distances
 * k w <= r < (k + 1) w, where w = r_max / bins and each edge lies 2^-30 w lower, so that
 * decimal distances on an edge are in the bin that begins there. Distances are those of
 * the nearest periodic images, also beyond half the box.
 *
 * All particles are of one species "all", and its pairs are counted, until
 * starhist_set_species() says otherwise. box_kind: a starhist_box_kind.
 * STARHIST_BAD_ARGUMENT unless r_max is finite and above 0 and bins is 1 to
 * 2^31 - 2. */
STARHIST_API starhist_status starhist_histogram_create(starhist_context* context,
                                                       double r_max, uint64_t bins,
                                                       int box_kind,
                                                       starhist_histogram** histogram);

/* Ends the counting and frees the counts. NULL is allowed. */
STARHIST_API void starhist_histogram_destroy(starhist_histogram* histogram);

/* The settings must come before the first frame, or after starhist_reset(); later they
 * return STARHIST_WRONG_STATE. */

/* Names of the species, not empty, all different. All pairs of them are counted:
 * 0-0, 0-1, ..., 1-1, ... Forgets earlier pairs, labels and species counts. */
STARHIST_API starhist_status starhist_set_species(starhist_histogram* histogram,
                                                  size_t species,
                                                  const char* const* names);

/* The pairs of species to count, in this order: "O-O,O-H". STARHIST_UNKNOWN_PAIR. */
STARHIST_API starhist_status starhist_set_pairs(starhist_histogram* histogram,
                                                const char* pairs);

/* Whether images repeat along the edges a, b and c: 1 or 0 each. Default: 1, 1, 1.
 * Edges of the others do not matter. STARHIST_WRONG_STATE with STARHIST_BOX_NONE;
 * STARHIST_BAD_ARGUMENT for other numbers. */
STARHIST_API starhist_status starhist_set_periodic(starhist_histogram* histogram, int a,
                                                   int b, int c);

/* Number of frames whose counts are kept together, from 1 on; default 100. Errors of
 * g(r) come from the differences of blocks. Each block takes 8 bytes for each bin of
 * each pair. */
STARHIST_API starhist_status
starhist_set_frames_per_block(starhist_histogram* histogram, uint32_t frames);

/* Number of frames to expect; default 1000. It changes the size of tasks, no count. */
STARHIST_API starhist_status starhist_set_expected_frames(starhist_histogram* histogram,
                                                          uint64_t frames);

/* Main memory for frames and counts in flight [bytes]. Default: half of what the
 * machine has. */
STARHIST_API starhist_status starhist_set_memory(starhist_histogram* histogram,
                                                 uint64_t bytes);

/* Units of length and of time for result files, as texts such as "nm" and "ps".
 * Default: "", not known. Nothing is converted. */
STARHIST_API starhist_status starhist_set_units(starhist_histogram* histogram,
                                                const char* length, const char* time);

/* ---- Frames ---- */

/* The species of each particle, for all frames from now on: labels[i] is a number from
 * 0 on in the order of starhist_set_species(), or -1 for a particle that is not
 * counted. They may change between frames. STARHIST_BAD_LABEL. */
STARHIST_API starhist_status starhist_set_labels(starhist_histogram* histogram,
                                                 size_t particles,
                                                 const int32_t* labels);

/* The same for particles sorted by species: counts[s] of species s, one number for each
 * species, one species after the other. */
STARHIST_API starhist_status starhist_set_species_counts(starhist_histogram* histogram,
                                                         size_t species,
                                                         const uint64_t* counts);

/* Step number and time of the next frame, for result files. Default: 0. */
STARHIST_API starhist_status starhist_set_time(starhist_histogram* histogram,
                                               int64_t step, double time);

/* Counts the pairs of a frame.
 *
 * positions: x, y, z of each particle. Component c of particle i is at
 * (char *)positions + i * particle_stride + c * component_stride. Strides are in bytes
 * and may be negative; 0, 0: x0, y0, z0, x1, y1, ... without gaps. Positions need not
 * lie in the box, and need not be aligned. NULL is allowed without particles.
 *
 * box: as the box kind of the histogram says; it may change from frame to frame.
 *
 * With one species the number of particles may change freely; with several it is that
 * of the labels or species counts. Positions are copied: the call returns before they
 * are counted. It waits while much is in flight.
 *
 * A frame that is refused is not counted, and the next one may follow:
 * STARHIST_BAD_POSITION, STARHIST_BAD_BOX, STARHIST_BAD_COUNT. With
 * STARHIST_OUT_OF_MEMORY, STARHIST_STARPU_FAILED and STARHIST_INTERNAL_ERROR the
 * histogram is broken. */
STARHIST_API starhist_status starhist_add_frame(
    starhist_histogram* histogram, size_t particles, const double* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, const double* box);

/* The same for positions in single precision, which are converted to double. */
STARHIST_API starhist_status starhist_add_frame_float(
    starhist_histogram* histogram, size_t particles, const float* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, const double* box);

/* The same as starhist_add_frame() for positions in the memory of a GPU, from
 * cudaMalloc, its pools or cudaMallocManaged. They are counted there, by the workers of
 * this GPU alone, and are not copied to main memory.
 *
 * Address and strides must be multiples of sizeof(double), else STARHIST_BAD_ARGUMENT,
 * as for memory that is not on a GPU.
 *
 * stream: the cudaStream_t whose work so far makes the positions, of the same GPU; NULL
 * or cudaStreamLegacy is CUDA's default stream, cudaStreamPerThread that of the calling
 * thread. A stream that is being captured into a graph is refused with
 * STARHIST_BAD_ARGUMENT. The call waits for this work, and for a copy of the positions
 * within the GPU, but not for other streams. When it returns the memory may be written
 * to and freed. The thread's current GPU stays.
 *
 * Frames in main memory and on several GPUs may follow each other in any order.
 * STARHIST_NO_GPU where the context does not use this GPU (starhist_context_create), or
 * in a library without CUDA. STARHIST_OUT_OF_MEMORY where the GPU has too little for
 * the copy; the histogram is not broken by that. The other statuses are those of
 * starhist_add_frame(). Positions that are not finite, or far from the box, are copied
 * to main memory to say which. */
STARHIST_API starhist_status starhist_add_gpu_frame(starhist_histogram* histogram,
                                                    size_t particles,
                                                    const double* positions,
                                                    ptrdiff_t particle_stride,
                                                    ptrdiff_t component_stride,
                                                    void* stream, const double* box);

/* The same for positions in single precision; multiples of sizeof(float). */
STARHIST_API starhist_status starhist_add_gpu_frame_float(
    starhist_histogram* histogram, size_t particles, const float* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, void* stream,
    const double* box);

/* Forgets all frames. Settings stay, and may be changed. */
STARHIST_API starhist_status starhist_reset(starhist_histogram* histogram);

/* ---- Results ---- */

/* All functions of this section wait until the frames so far are counted. More frames
 * may follow. */

/* Numbers of frames, of blocks, the last one counted even if it is not full, of
 * species, pairs and bins. Each pointer may be NULL. */
STARHIST_API starhist_status starhist_get_numbers(starhist_histogram* histogram,
                                                  uint64_t* frames, uint64_t* blocks,
                                                  size_t* species, size_t* pairs,
                                                  size_t* bins);

/* Name of a pair, "O-H", until the species are set anew. */
STARHIST_API starhist_status starhist_get_pair_name(starhist_histogram* histogram,
                                                    size_t pair, const char** name);

/* Number of the pair with this name; "O-H" and "H-O" are the same.
 * STARHIST_UNKNOWN_PAIR also for one that is not counted. */
STARHIST_API starhist_status starhist_find_pair(starhist_histogram* histogram,
                                                const char* name, size_t* pair);

/* The bins + 1 edges of the bins: edges[k] = k r_max / bins. */
STARHIST_API starhist_status starhist_get_edges(starhist_histogram* histogram,
                                                size_t size, double* edges);

/* Counts of a pair, counts[k] of bin k, summed over the frames of a block or of all.
 *
 * size: number of bins, else STARHIST_BAD_SIZE; counts may be NULL, with any size.
 * out_of_range: number of pairs at r >= r_max, or NULL. pairs: number of all pairs,
 * N (N - 1) / 2 for a like pair and N_A N_B for an unlike one, summed over the frames,
 * or NULL. The sum of counts and out_of_range is pairs. */
STARHIST_API starhist_status starhist_get_counts(starhist_histogram* histogram,
                                                 uint64_t block, size_t pair,
                                                 size_t size, uint64_t* counts,
                                                 uint64_t* out_of_range,
                                                 uint64_t* pairs);

/* g(r) of a pair, one value for each bin, without a unit, and its standard errors by
 * the jackknife over the blocks (both arrays have size = number of bins; each may be
 * NULL).
 *
 * normalization: a starhist_normalization. Shells beyond half the box are those within
 * its Wigner-Seitz cell, if all frames of a block have the same box. g is NaN for bins
 * beyond, and where no frame has such a pair. errors are NaN there, and with fewer than
 * two blocks that have such pairs; they are too small where blocks are shorter than the
 * frames remember each other.
 *
 * STARHIST_NO_VOLUME without three periodic axes; STARHIST_BAD_ARGUMENT for
 * STARHIST_PER_FRAME where volume or numbers change within a block. */
STARHIST_API starhist_status starhist_get_g(starhist_histogram* histogram, size_t pair,
                                            int normalization, size_t size, double* g,
                                            double* errors);

/* Running coordination number of a pair A-B: mean number of particles of B within the
 * upper edge of each bin around a particle of A, and its standard errors as above. It
 * needs no volume. reverse: 0, or 1 for particles of A around B. NaN without a particle
 * in the centre. STARHIST_BAD_ARGUMENT for another number of reverse. */
STARHIST_API starhist_status starhist_get_coordination(starhist_histogram* histogram,
                                                       size_t pair, int reverse,
                                                       size_t size, double* n,
                                                       double* errors);

/* What is known of the frames of a block besides counts. The structure will not change.
 */
typedef struct starhist_block {
  uint64_t frames;       /* number of frames */
  uint64_t first_frame;  /* number of the first frame, from 0 on */
  uint64_t last_frame;   /* number of the last frame */
  int64_t last_step;     /* step of the last frame (starhist_set_time) */
  double last_time;      /* its time */
  double volume;         /* sum of the volumes V of the boxes; 0: they have none */
  double inverse_volume; /* sum of 1/V; 0: they have none */
  double
      inscribed_radius; /* smallest half of a shortest lattice vector; infinite: none */
  double box[9];        /* edges as rows, where has_box is 1 */
  int32_t has_box;      /* 1: all frames have this box, and it has a volume */
  int32_t reserved;     /* 0 */
} starhist_block;

/* The sums over the frames of a block, or of all. */
STARHIST_API starhist_status starhist_get_block(starhist_histogram* histogram,
                                                uint64_t block, starhist_block* sums);

/* Sum of the numbers of particles of a species over the frames of a block, or of all.
 * STARHIST_BAD_ARGUMENT if there is no such species. */
STARHIST_API starhist_status starhist_get_particles(starhist_histogram* histogram,
                                                    uint64_t block, size_t species,
                                                    uint64_t* particles);

/* Sum of (number of pairs) / V over the frames of a block, or of all; 0: no volume. */
STARHIST_API starhist_status starhist_get_pairs_over_volume(
    starhist_histogram* histogram, uint64_t block, size_t pair, double* sum);

/* The settings. Texts stay until they are set anew. Each pointer may be NULL. */
STARHIST_API starhist_status starhist_get_settings(starhist_histogram* histogram,
                                                   double* r_max,
                                                   uint32_t* frames_per_block,
                                                   const char** length_unit,
                                                   const char** time_unit);

/* Name of a species, until they are set anew; the numbers of the species of a pair. */
STARHIST_API starhist_status starhist_get_species_name(starhist_histogram* histogram,
                                                       size_t species,
                                                       const char** name);
STARHIST_API starhist_status starhist_get_pair_species(starhist_histogram* histogram,
                                                       size_t pair, size_t* first,
                                                       size_t* second);

/* How the histogram is counted, as names and values for a record: "scheduler",
 * "workers", "cpu variant", ... index counts from 0 on; STARHIST_BAD_ARGUMENT after the
 * last one. Texts stay until the next call for the histogram. */
STARHIST_API starhist_status starhist_get_provenance(starhist_histogram* histogram,
                                                     size_t index, const char** name,
                                                     const char** value);

/* ---- Libraries over this one ---- */

/* Sets what starhist_last_error() returns in this thread, for libraries that return a
 * starhist_status of their own, such as libstarhist_file. NULL: "". */
STARHIST_API void starhist_set_last_error(const char* text);

#ifdef __cplusplus
}
#endif

#endif
