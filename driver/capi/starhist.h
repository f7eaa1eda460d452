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
 * Lengths are in any one unit, the same for r_max, positions and boxes.
 *
 * Errors. Every function that returns a starhist_status returns STARHIST_OK or the kind
 * of error; starhist_last_error() returns a message about it. Unless stated otherwise,
 * a function that does not return STARHIST_OK has neither written to its arguments nor
 * changed the histogram. No function prints, ends the process, changes the environment
 * or installs signal handlers. (StarPU itself prints warnings to standard error, unless
 * STARPU_SILENT=1, and aborts the process if a GPU fails.)
 *
 * Ownership. The caller owns the objects that `create` returns, and releases them with
 * `destroy`. Arrays that are passed in are read or filled during the call, and not
 * kept. Texts that are returned as const char * belong to the library.
 *
 * Threads. Any thread may call. Calls with histograms of the same context wait for each
 * other. A handle must not be used during or after its destruction.
 *
 * Processes. After fork() the child must not use objects that its parent has created;
 * functions return STARHIST_FORKED there, and `destroy` has no effect.
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

/* Values never change. Later versions may add values. */
typedef enum starhist_status {
  /* Done. */
  STARHIST_OK = 0,
  /* A pointer that must not be NULL is NULL. */
  STARHIST_NULL_POINTER = 1,
  /* A number or a name is invalid, such as r_max = 0 or an unknown normalisation. */
  STARHIST_BAD_ARGUMENT = 2,
  /* A pair of species does not exist: its number is too large, or a name in a list
   * is not a pair of these species. */
  STARHIST_UNKNOWN_PAIR = 3,
  /* A position is NaN, infinite, or so far away that a double has too few digits for
   * distances: more than 2^32 box lengths, or 2^32 r_max without a box. */
  STARHIST_BAD_POSITION = 4,
  /* A box is invalid: a length is NaN, infinite, zero or negative, edges lie in one
   * plane, angles are in radians, or NULL was passed with periodic axes. Also if r_max
   * is more than twice the largest distance in the first box, which nearly always
   * indicates a wrong unit; later boxes may shrink. Left-handed edges are valid. */
  STARHIST_BAD_BOX = 5,
  /* The number of particles does not match the labels or species counts; or labels
   * are missing and there are several species. */
  STARHIST_BAD_COUNT = 6,
  /* A label is neither a species number nor -1. */
  STARHIST_BAD_LABEL = 7,
  /* The size of an array differs from its number of values, such as bins. */
  STARHIST_BAD_SIZE = 8,
  /* The call is not allowed in this state: a setting after the first frame, a second
   * context, a paused StarPU of the host program. */
  STARHIST_WRONG_STATE = 9,
  /* g(r) needs a volume, or an area in a plane, but the boxes are not periodic along
   * all axes. */
  STARHIST_NO_VOLUME = 10,
  /* There is no frame, or the block does not exist yet. */
  STARHIST_NO_FRAMES = 11,
  /* Memory is exhausted, or starhist_set_memory() allows too little. */
  STARHIST_OUT_OF_MEMORY = 12,
  /* StarPU cannot start, has no worker that can count, or has failed. */
  STARHIST_STARPU_FAILED = 13,
  /* StarPU already runs and must not be shared; or the call would change a StarPU
   * that belongs to the host program. */
  STARHIST_STARPU_SHARED = 14,
  /* The process is a child, through fork(), of the one that created the handle. */
  STARHIST_FORKED = 15,
  /* A file cannot be written (starhist_file.h). */
  STARHIST_FILE_ERROR = 16,
  /* An earlier call failed during counting: the counts are lost. starhist_reset()
   * makes the histogram usable again. */
  STARHIST_BROKEN = 17,
  /* A bug in starhist. Please report it with the text of starhist_last_error(). */
  STARHIST_INTERNAL_ERROR = 18,
  /* Positions are on a GPU without a counting worker, or this build has no CUDA. */
  STARHIST_NO_GPU = 19
} starhist_status;

/* StarPU with its workers. */
typedef struct starhist_context starhist_context;
/* Settings and counts. */
typedef struct starhist_histogram starhist_histogram;

/* Contents of the argument `box` of starhist_add_frame(). */
typedef enum starhist_box_kind {
  STARHIST_BOX_NONE = 0,    /* NULL: no periodic images */
  STARHIST_BOX_LENGTHS = 1, /* 3 lengths, along x, y and z */
  STARHIST_BOX_ANGLES = 2,  /* 3 lengths, then the angles alpha, beta, gamma [degrees]:
                             * a along x, b in the xy plane */
  STARHIST_BOX_MATRIX = 3   /* 9 numbers, 3 rows: the edges a, b and c. In Fortran,
                             * whose matrices are stored by columns, h(:,1) is a */
} starhist_box_kind;

/* How counts and volumes of several frames are combined to g(r). The results agree
 * for constant volume and particle numbers. */
typedef enum starhist_normalization {
  STARHIST_PAIRS_OVER_VOLUME = 0, /* sum n / sum(P/V) / shell: GROMACS, mdtraj */
  STARHIST_MEAN_VOLUME = 1,       /* mean volume: MDAnalysis */
  STARHIST_PER_FRAME = 2 /* mean of each frame's g(r): VMD, LAMMPS. Blocks of one
                          * frame, or constant volume and numbers in each block */
} starhist_normalization;

/* Where distances are measured. */
typedef enum starhist_plane {
  STARHIST_SPACE = 0,    /* in space */
  STARHIST_PLANE_XY = 1, /* in the plane xy: (dx^2 + dy^2)^(1/2) */
  STARHIST_PLANE_XZ = 2,
  STARHIST_PLANE_YZ = 3
} starhist_plane;

/* Second quantity by which pairs are counted. d: shortest displacement from the first
 * particle of a pair to the second, of length r. */
typedef enum starhist_second_axis {
  STARHIST_NO_SECOND_AXIS = 0, /* count by distance only */
  STARHIST_COSINE_X = 1,       /* d_x / r, from -1 to 1; 0 for coinciding particles */
  STARHIST_COSINE_Y = 2,
  STARHIST_COSINE_Z = 3,
  STARHIST_SEPARATION_X = 4, /* |d_x|, from 0 */
  STARHIST_SEPARATION_Y = 5,
  STARHIST_SEPARATION_Z = 6
} starhist_second_axis;

/* Block number that stands for all blocks together. */
#define STARHIST_ALL_BLOCKS UINT64_MAX

/* Flags of starhist_context_create(). */
/* Return STARHIST_STARPU_SHARED if StarPU already runs. */
#define STARHIST_REFUSE_RUNNING 1u
/* Workers poll between calls: no delay, but all their cores are busy. */
#define STARHIST_STAY_AWAKE 2u
/* One worker for each NUMA domain, whose tasks use all its cores. */
#define STARHIST_TEAMS 4u

/* ---- Library ---- */

/* Returns the version of the library, such as "0.3.0". */
STARHIST_API const char* starhist_version(void);

/* Returns the name of a status, such as "STARHIST_BAD_BOX"; "unknown status" for
 * other numbers. */
STARHIST_API const char* starhist_status_name(int status);

/* Message of this thread's last call that did not return STARHIST_OK: problem (why
 * it is one). "" before the first one. The text is valid until the thread's next
 * such call. Never NULL. */
STARHIST_API const char* starhist_last_error(void);

/* ---- Context ---- */

/* Starts StarPU, or shares one that already runs in this process.
 *
 * cpu_workers: number of workers on cores, threads of this process; -1: all cores.
 * gpus: maximum number of GPUs; -1: all that work. scheduler: StarPU's name, such as
 * "lws"; NULL: a suitable one. flags: 0 or a sum of those above.
 *
 * StarPU's variables (STARPU_NCPU, STARPU_NCUDA, STARPU_SCHED, ...) override the
 * arguments. Recommended before the process starts: STARPU_SILENT=1, with StarPU 1.3
 * STARPU_WORKERS_GETBIND=1, with GPUs STARPU_NWORKER_PER_CUDA=2. Concurrent programs
 * need STARPU_WORKERS_NOBIND=1; otherwise their workers share the first cores.
 *
 * A StarPU that already runs is used unchanged, and all arguments except the flags are
 * ignored. It must not be paused: STARHIST_WRONG_STATE with StarPU 1.4; StarPU 1.3
 * cannot report it, and calls that wait for counts do not return.
 *
 * The thread's current GPU is kept. At its first start on a machine StarPU measures
 * copies to GPUs. Unless scripts/setup/build_starpu.sh has built it, it then resets the
 * GPUs, which frees all memory of the process there.
 *
 * A process has one context at a time, which all its histograms use.
 *
 * Errors: STARHIST_BAD_ARGUMENT, STARHIST_WRONG_STATE (a context exists, or StarPU
 * is paused), STARHIST_STARPU_FAILED, STARHIST_STARPU_SHARED, STARHIST_FORKED (the
 * parent has a context). */
STARHIST_API starhist_status starhist_context_create(int cpu_workers, int gpus,
                                                     const char* scheduler,
                                                     unsigned flags,
                                                     starhist_context** context);

/* Releases the context. StarPU stops, and saves its performance models, after the
 * last of context and histograms is destroyed. NULL is allowed. */
STARHIST_API void starhist_context_destroy(starhist_context* context);

/* Returns the number of workers on cores and on GPUs, and whether StarPU was already
 * running (1 or 0). Each pointer may be NULL. */
STARHIST_API starhist_status starhist_context_workers(const starhist_context* context,
                                                      size_t* cpu_workers,
                                                      size_t* gpu_workers, int* shared);

/* Waits until all counting has ended, then puts the workers to sleep. The next call
 * that needs them wakes them. Has no effect with STARHIST_STAY_AWAKE.
 *
 * Without this call they sleep about 10 ms after the last call, unless the flag
 * STARHIST_STAY_AWAKE is set. STARHIST_STARPU_SHARED if StarPU was already running:
 * only the program that started it may pause it. */
STARHIST_API starhist_status starhist_context_pause(starhist_context* context);

/* Wakes the workers, so that the next frame need not wait for them. */
STARHIST_API starhist_status starhist_context_resume(starhist_context* context);

/* ---- Histogram: settings ---- */

/* Creates a histogram with `bins` bins of equal width on [0, r_max): bin k holds the
 * distances k w <= r < (k + 1) w, where w = r_max / bins and each edge lies 2^-30 w
 * lower, so that decimal distances on an edge are in the bin that starts there.
 * Distances are those of the nearest periodic images, also beyond half the box.
 *
 * By default all particles belong to one species "all", whose pairs are counted;
 * starhist_set_species() changes that. box_kind: a starhist_box_kind.
 * STARHIST_BAD_ARGUMENT unless r_max is finite and positive and bins is 1 to 2^31 -
 * 2. */
STARHIST_API starhist_status starhist_histogram_create(starhist_context* context,
                                                       double r_max, uint64_t bins,
                                                       int box_kind,
                                                       starhist_histogram** histogram);

/* Ends counting and frees the counts. NULL is allowed. */
STARHIST_API void starhist_histogram_destroy(starhist_histogram* histogram);

/* Settings are allowed before the first frame, or after starhist_reset(); later they
 * return STARHIST_WRONG_STATE. */

/* Sets the names of the species, non-empty and distinct. Trailing blanks are removed:
 * Fortran pads names with them. All their pairs are counted: 0-0, 0-1, ..., 1-1, ...
 * Discards earlier pairs, labels and species counts. */
STARHIST_API starhist_status starhist_set_species(starhist_histogram* histogram,
                                                  size_t species,
                                                  const char* const* names);

/* Sets the pairs of species to count, in this order: "O-O,O-H".
 * STARHIST_UNKNOWN_PAIR. */
STARHIST_API starhist_status starhist_set_pairs(starhist_histogram* histogram,
                                                const char* pairs);

/* Counts in bins between these edges, as `starhist rdf --edges` does, in place of the
 * bins of starhist_histogram_create(): bin k holds the distances edges[k] <= r <
 * edges[k + 1], where each edge lies 2^-40 of the last one lower.
 *
 * size: number of edges, one more than bins, 2 to 1001; 0: bins of equal width, the
 * default. edges: rising, the first one 0 or more [unit of positions]. The last edge
 * is then r_max. Pairs nearer than the first edge are in `pairs` of
 * starhist_get_counts(), but neither in a bin nor out of range.
 *
 * CPU workers count these bins; positions on a GPU are copied to main memory.
 * STARHIST_BAD_ARGUMENT for other edges, and if two of them differ by less than a
 * billionth of the last one. STARHIST_WRONG_STATE with lags or shells, and in a context
 * without CPU workers. */
STARHIST_API starhist_status starhist_set_edges(starhist_histogram* histogram,
                                                size_t size, const double* edges);

/* Measures distances in a plane, as `starhist rdf --plane` does: coordinates along its
 * normal do not count.
 *
 * plane: a starhist_plane; STARHIST_SPACE is the default. Boxes must be periodic along
 * both edges of the plane, a and b for xy, or not at all. If they are periodic along
 * the third edge, it must be parallel to the normal, or a lattice vector of the plane
 * apart from it: otherwise distances depend on the image of each position, and the
 * frame is refused with STARHIST_BAD_BOX.
 *
 * Areas then take the place of volumes: g(r) is the density in annuli relative to N /
 * A, cut beyond half the box by the plane's cell, and V in starhist_block and
 * starhist_get_pairs_over_volume() is the area [unit of r_max squared]. The box of
 * starhist_block has the projected edges, zero along the normal. Positions on a GPU are
 * copied to main memory. STARHIST_BAD_ARGUMENT for other numbers;
 * STARHIST_WRONG_STATE with lags or shells, and with a second axis. */
STARHIST_API starhist_status starhist_set_plane(starhist_histogram* histogram,
                                                int plane);

/* Counts pairs also by a second quantity, as `starhist rdf --axis2` does, in bins of
 * equal width. Counts by distance, g(r) and coordination numbers stay the same.
 *
 * quantity: a starhist_second_axis. bins: 1 to 1000; 0: 21 for cosines, 50 for
 * separations. limit: 0, except in a plane. Cosines have the range -1 to 1, separations
 * 0 to r_max; each edge lies 2^-30 bins lower, and the last bin includes its upper one.
 *
 * In a plane, which starhist_set_plane() sets before this call, the only quantity is
 * the separation along the normal, |d_z| for xy, between nearest images along it.
 * limit: upper edge of its last bin [unit of positions]; 0: half the period of the
 * first frame's box along the normal. Farther pairs are in no bin of the second axis. A
 * box that is open along the normal needs a limit; edges a and b that span the plane
 * must lie in it, or rise by whole periods. Otherwise STARHIST_BAD_BOX.
 *
 * A pair of different species starts at the species that starhist_set_species() names
 * first; starhist_set_pairs() must name it first if cosines are counted. A pair of
 * particles of one species is counted twice as a cosine, once from each particle.
 *
 * Pairs by second axis are counted before starhist_add_frame() returns; positions on a
 * GPU are copied to main memory. Counts in all bins of both axes may take a quarter of
 * starhist_set_memory(), otherwise STARHIST_OUT_OF_MEMORY from the first frame.
 * STARHIST_BAD_ARGUMENT for an unknown quantity, too many bins, and a limit that is
 * negative or not finite; STARHIST_WRONG_STATE with lags or shells, in a context with
 * STARHIST_TEAMS, for a limit in space and another quantity in a plane. */
STARHIST_API starhist_status starhist_set_second_axis(starhist_histogram* histogram,
                                                      int quantity, uint32_t bins,
                                                      double limit);

/* Counts between frames, as `starhist vanhove` does: each frame is paired with the
 * earlier frames, its origins, that lie one of the lags before it.
 *
 * lags: number of lags, at most 10 000; 0: count within frames, the default. frames:
 * the lags in frames, rising, each once; lag 0 is the pairs within frames.
 * every_origin: K >= 1, frames 0, K, 2 K, ... are origins. unwrapped: 1 if positions
 * are continuous in time; 0: displacements follow each particle through the nearest
 * image from frame to frame, which needs steps below half the box. Otherwise
 * STARHIST_BAD_ARGUMENT; STARHIST_WRONG_STATE with shells, edges, a plane or a second
 * axis.
 *
 * All frames must contain the same particles in the same order: labels and species
 * counts become settings, and another number of particles is STARHIST_BAD_COUNT.
 * Distances between two frames are measured in the box of the later one. Origins stay
 * in main memory: up to 48 bytes for each particle in (longest lag) / K + 2 frames;
 * STARHIST_OUT_OF_MEMORY if this exceeds half of starhist_set_memory().
 *
 * Results. Pair l P + p of the functions below is pair p of the P pairs at lag number
 * l, with distances from the first species in the origin to the second one in the later
 * frame, without pairs of a particle with itself. The first species is the one that
 * starhist_set_species() names first, in whichever order starhist_set_pairs() names
 * them; `starhist vanhove` sorts the species. g is the distinct part of the van
 * Hove function, normalized like g(r), with STARHIST_PAIRS_OVER_VOLUME. A pair of
 * frames belongs to the block of its later frame. starhist_get_displacements() returns
 * the self part. STARHIST_WRONG_STATE for starhist_get_coordination(). */
STARHIST_API starhist_status starhist_set_lags(starhist_histogram* histogram,
                                               size_t lags, const uint64_t* frames,
                                               uint64_t every_origin, int unwrapped);

/* Counts neighbours in place of pairs, as `starhist coordination` does: for each
 * particle, the particles nearer than a cut-off.
 *
 * shells: number of shells; 0: count pairs, the default. Shell s holds the particles of
 * species neighbours[s] nearer than cutoffs[s] > 0 [unit of positions] to a particle of
 * species centres[s]; both may be the same species, without the particle itself. A
 * cut-off is an upper edge of a bin (starhist_histogram_create): decimal distances
 * equal to it are not within. starhist_set_species() discards the shells.
 *
 * There are then no pairs; bins are not used, and r_max only limits positions along
 * open axes (STARHIST_BAD_POSITION). Neighbours are counted before starhist_add_frame()
 * returns, by as many threads as the context has CPU workers. It refuses a box with
 * STARHIST_BAD_BOX if a cut-off exceeds half its shortest lattice vector, because
 * several images could then be within it.
 *
 * STARHIST_BAD_ARGUMENT for an unknown species and for other cut-offs;
 * STARHIST_WRONG_STATE with lags, edges, a plane or a second axis. */
STARHIST_API starhist_status starhist_set_shells(starhist_histogram* histogram,
                                                 size_t shells, const size_t* centres,
                                                 const size_t* neighbours,
                                                 const double* cutoffs);

/* Sets the periodicity along the edges a, b and c: 1 or 0 each. Default: 1, 1, 1.
 * Edges of axes without periodicity are ignored. STARHIST_WRONG_STATE with
 * STARHIST_BOX_NONE; STARHIST_BAD_ARGUMENT for other numbers. */
STARHIST_API starhist_status starhist_set_periodic(starhist_histogram* histogram, int a,
                                                   int b, int c);

/* Sets the number of frames per block [>= 1]; default 100, or a number chosen by
 * starhist_set_expected_frames(). The counts of a block are kept together, and errors
 * of g(r) come from the differences of blocks. Each block takes 8 bytes for each bin
 * of each pair, with a second axis times its bins + 2. */
STARHIST_API starhist_status
starhist_set_frames_per_block(starhist_histogram* histogram, uint32_t frames);

/* Sets the expected number of frames; default 1000. It affects the size of tasks and,
 * unless starhist_set_frames_per_block() is called, the length of blocks, as in
 * `starhist rdf`: 16 to 24 blocks of that number of frames. It does not affect the sum
 * of the counts. */
STARHIST_API starhist_status starhist_set_expected_frames(starhist_histogram* histogram,
                                                          uint64_t frames);

/* Limits the main memory for frames and counts in flight [bytes]. Default: half of
 * the machine's memory. */
STARHIST_API starhist_status starhist_set_memory(starhist_histogram* histogram,
                                                 uint64_t bytes);

/* Sets the units of length and time for result files: A, nm, pm, um, mm, cm, m, bohr or
 * sigma, and ps, fs, ns, us, s or tau, or another spelling that `--unit` of `starhist
 * rdf` accepts, such as "angstrom". Default: "", unknown. Numbers are not converted.
 * STARHIST_BAD_ARGUMENT for other texts. */
STARHIST_API starhist_status starhist_set_units(starhist_histogram* histogram,
                                                const char* length, const char* time);

/* ---- Frames ---- */

/* Sets the species of each particle, for all later frames: labels[i] is a number
 * from 0 in the order of starhist_set_species(), or -1 for a particle that is not
 * counted. Labels may change between frames. STARHIST_BAD_LABEL. */
STARHIST_API starhist_status starhist_set_labels(starhist_histogram* histogram,
                                                 size_t particles,
                                                 const int32_t* labels);

/* Sets the species of particles that are sorted by species: counts[s] particles of
 * species s, for each species. */
STARHIST_API starhist_status starhist_set_species_counts(starhist_histogram* histogram,
                                                         size_t species,
                                                         const uint64_t* counts);

/* Sets the step number and time of the next frame, for result files. Default: 0; with
 * lags or shells the time is unknown, NaN, by default. */
STARHIST_API starhist_status starhist_set_time(starhist_histogram* histogram,
                                               int64_t step, double time);

/* Counts the pairs of a frame.
 *
 * positions: x, y, z of each particle. Component c of particle i is at (char
 * *)positions + i * particle_stride + c * component_stride. Strides are in bytes and
 * may be negative; 0, 0: x0, y0, z0, x1, y1, ... contiguous. STARHIST_BAD_ARGUMENT if
 * only one of them is 0. Positions need not lie in the box, and need not be aligned.
 * NULL is allowed without particles.
 *
 * box: in the format of the histogram's box kind; it may change from frame to frame.
 *
 * With one species the number of particles may change freely; with several it must
 * match the labels or species counts. Positions are copied: the call returns before
 * they are counted. It waits while much is in flight.
 *
 * A refused frame is not counted, and the next one may follow:
 * STARHIST_BAD_POSITION, STARHIST_BAD_BOX, STARHIST_BAD_COUNT. After
 * STARHIST_OUT_OF_MEMORY, STARHIST_STARPU_FAILED and STARHIST_INTERNAL_ERROR the
 * histogram is broken. */
STARHIST_API starhist_status starhist_add_frame(
    starhist_histogram* histogram, size_t particles, const double* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, const double* box);

/* Like starhist_add_frame(), for positions in single precision, which are converted
 * to double. */
STARHIST_API starhist_status starhist_add_frame_float(
    starhist_histogram* histogram, size_t particles, const float* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, const double* box);

/* Like starhist_add_frame(), for positions in the memory of a GPU, from cudaMalloc, its
 * pools or cudaMallocManaged. Only the workers of this GPU count them, without a copy
 * to main memory.
 *
 * Address and strides must be multiples of sizeof(double); otherwise
 * STARHIST_BAD_ARGUMENT, which is also returned for memory that is not on a GPU.
 *
 * stream: the cudaStream_t, of the same GPU, whose queued work produces the positions;
 * NULL or cudaStreamLegacy is CUDA's default stream, cudaStreamPerThread the calling
 * thread's. A stream that is being captured into a graph is refused with
 * STARHIST_BAD_ARGUMENT. The call waits for this work, and for a copy of the positions
 * within the GPU, but not for other streams. After it returns the memory may be
 * overwritten and freed. The thread's current GPU is kept.
 *
 * Frames in main memory and on several GPUs may be mixed in any order.
 * STARHIST_NO_GPU if the context does not use this GPU (starhist_context_create), or
 * in a library without CUDA. STARHIST_OUT_OF_MEMORY if the GPU has too little memory
 * for the copy; the histogram remains usable. For other statuses see
 * starhist_add_frame(). To name the particle, positions that are not finite, or far
 * from the box, are copied to main memory. */
STARHIST_API starhist_status starhist_add_gpu_frame(starhist_histogram* histogram,
                                                    size_t particles,
                                                    const double* positions,
                                                    ptrdiff_t particle_stride,
                                                    ptrdiff_t component_stride,
                                                    void* stream, const double* box);

/* Like starhist_add_gpu_frame(), for positions in single precision; address and
 * strides are multiples of sizeof(float). */
STARHIST_API starhist_status starhist_add_gpu_frame_float(
    starhist_histogram* histogram, size_t particles, const float* positions,
    ptrdiff_t particle_stride, ptrdiff_t component_stride, void* stream,
    const double* box);

/* Discards all frames. Settings are kept, and may be changed. */
STARHIST_API starhist_status starhist_reset(starhist_histogram* histogram);

/* ---- Results ---- */

/* All functions of this section wait until the frames added so far are counted. More
 * frames may follow. */

/* Returns the numbers of frames, blocks (including a last one that is not full),
 * species, pairs and bins. Each pointer may be NULL. */
STARHIST_API starhist_status starhist_get_numbers(starhist_histogram* histogram,
                                                  uint64_t* frames, uint64_t* blocks,
                                                  size_t* species, size_t* pairs,
                                                  size_t* bins);

/* Returns the name of a pair, "O-H"; valid until species, pairs, lags or shells
 * are set again. */
STARHIST_API starhist_status starhist_get_pair_name(starhist_histogram* histogram,
                                                    size_t pair, const char** name);

/* Returns the number of the pair with this name; "O-H" and "H-O" are the same. With
 * lags: its number at the first lag. STARHIST_UNKNOWN_PAIR also for a pair that is not
 * counted. */
STARHIST_API starhist_status starhist_find_pair(starhist_histogram* histogram,
                                                const char* name, size_t* pair);

/* Returns the bins + 1 edges of the bins: edges[k] = k r_max / bins, or those of
 * starhist_set_edges(). */
STARHIST_API starhist_status starhist_get_edges(starhist_histogram* histogram,
                                                size_t size, double* edges);

/* Returns 1 if starhist_set_edges() has set the bins, 0 for bins of equal width. */
STARHIST_API starhist_status starhist_has_edges(starhist_histogram* histogram,
                                                int* has_edges);

/* Returns the starhist_plane in which distances are measured. */
STARHIST_API starhist_status starhist_get_plane(starhist_histogram* histogram,
                                                int* plane);

/* Returns the counts of a pair, counts[k] for bin k, summed over the frames of a block
 * or of all.
 *
 * size: number of bins, otherwise STARHIST_BAD_SIZE; counts may be NULL, with any
 * size. out_of_range: number of pairs at r >= r_max; may be NULL. pairs: number of
 * all pairs, N (N - 1) / 2 for a like pair and N_A N_B for an unlike one, summed
 * over the frames; may be NULL. With lags other than 0: N (N - 1) and N_A N_B for each
 * frame with an origin. The sum of counts and out_of_range is pairs, unless the first
 * edge of starhist_set_edges() is above 0. */
STARHIST_API starhist_status starhist_get_counts(starhist_histogram* histogram,
                                                 uint64_t block, size_t pair,
                                                 size_t size, uint64_t* counts,
                                                 uint64_t* out_of_range,
                                                 uint64_t* pairs);

/* Returns the second axis: a starhist_second_axis, its number of bins, and the upper
 * edge of separations along the normal of a plane, 0 without a plane and until the
 * first frame sets it. 0 bins without a second axis. Each pointer may be NULL. */
STARHIST_API starhist_status starhist_get_second_axis(starhist_histogram* histogram,
                                                      int* quantity, uint32_t* bins,
                                                      double* limit);

/* Returns the edges of the second axis, one more than its bins: cosines, or lengths in
 * the unit of positions. STARHIST_NO_FRAMES if the first frame sets the range and is
 * missing. STARHIST_WRONG_STATE, also from the next functions, without a second axis.
 */
STARHIST_API starhist_status starhist_get_second_edges(starhist_histogram* histogram,
                                                       size_t size, double* edges);

/* Returns the counts of a pair by distance and second axis, summed over the frames of a
 * block or of all: counts[k * n + c] for bin k of the distance and bin c of the n bins
 * of the second axis.
 *
 * size: bins of the distance times n, otherwise STARHIST_BAD_SIZE. The sum over c is
 * the count of bin k in starhist_get_counts(), twice this count for cosines of one
 * species; along the normal of a plane the rest lies beyond the limit. */
STARHIST_API starhist_status starhist_get_second_counts(starhist_histogram* histogram,
                                                        uint64_t block, size_t pair,
                                                        size_t size, uint64_t* counts);

/* Returns the norm of counts by separation along the normal of a plane: the sum of
 * (number of pairs) / V over the frames of a block or of all, where V is the volume of
 * the box in space; 0: no volume. half_period: half the smallest period along the
 * normal, beyond which separations do not exist; 0: open along it. Each pointer may be
 * NULL. STARHIST_WRONG_STATE in space, where starhist_get_pairs_over_volume() returns
 * the norm. */
STARHIST_API starhist_status
starhist_get_pairs_over_space(starhist_histogram* histogram, uint64_t block,
                              size_t pair, double* sum, double* half_period);

/* Returns g(r) of a pair, one value for each bin [dimensionless], and its standard
 * errors by the jackknife over the blocks. Both arrays have size = number of bins; each
 * may be NULL.
 *
 * normalization: a starhist_normalization. Shells beyond half the box are cut by its
 * Wigner-Seitz cell, if all frames of a block have the same box. g is NaN for bins
 * beyond the cell, and if no frame has such a pair. errors are NaN there, and with
 * fewer than two blocks that have such pairs; they are too small if blocks are shorter
 * than the correlation time of the frames.
 *
 * STARHIST_NO_VOLUME without three periodic axes, or two in a plane;
 * STARHIST_BAD_ARGUMENT for STARHIST_PER_FRAME if volume or numbers change within a
 * block. */
STARHIST_API starhist_status starhist_get_g(starhist_histogram* histogram, size_t pair,
                                            int normalization, size_t size, double* g,
                                            double* errors);

/* Returns the running coordination number of a pair A-B: the mean number of
 * particles of B within the upper edge of each bin around a particle of A, and its
 * standard errors as for starhist_get_g(). Needs no volume. reverse: 0, or 1 for
 * particles of A around B. NaN without a central particle, and beyond half the shortest
 * lattice vector of the boxes. STARHIST_BAD_ARGUMENT for other values of reverse. */
STARHIST_API starhist_status starhist_get_coordination(starhist_histogram* histogram,
                                                       size_t pair, int reverse,
                                                       size_t size, double* n,
                                                       double* errors);

/* Returns the lag of a pair [frames]. STARHIST_WRONG_STATE without lags. */
STARHIST_API starhist_status starhist_get_pair_lag(starhist_histogram* histogram,
                                                   size_t pair, uint64_t* lag);

/* Returns the displacements of the particles of a species over a lag, summed over the
 * frames of a block or of all: the self part of the van Hove function, and the mean
 * squared displacement, *squares / *particles.
 *
 * lag: one of starhist_set_lags() [frames]. counts[k]: displacements in bin k; size:
 * number of bins, otherwise STARHIST_BAD_SIZE; counts may be NULL, with any size.
 * out_of_range: displacements of at least r_max. particles: number of displacements.
 * squares: sum of their squared lengths [unit of r_max squared]. frames: number of
 * frames with an origin at this lag. time: sum of the times between the two frames; NaN
 * if one is unknown (starhist_set_time). Each pointer may be NULL.
 * STARHIST_BAD_ARGUMENT for another lag or an unknown species; STARHIST_WRONG_STATE
 * without lags. */
STARHIST_API starhist_status starhist_get_displacements(
    starhist_histogram* histogram, uint64_t block, uint64_t lag, size_t species,
    size_t size, uint64_t* counts, uint64_t* out_of_range, uint64_t* particles,
    double* squares, uint64_t* frames, double* time);

/* Returns a warning about the standard errors of g(r): that there are fewer than five
 * blocks, or that a test of 16 blocks or more finds them shorter than the correlation
 * time of the frames; "" if neither applies, and with fewer than two blocks. The test
 * compares the errors with those from longer blocks: Flyvbjerg and Petersen, J. Chem.
 * Phys. 91, 461 (1989). With lags also, regardless of blocks, that a particle moved
 * between two frames by more than a quarter of the box, or, if positions are unwrapped,
 * half the box, so that displacements may be wrong. Also, regardless of blocks, that the
 * particles of the first frame lie in a plane in which distances were not counted. The
 * text is valid until the next call for the histogram. */
STARHIST_API starhist_status starhist_get_error_warning(starhist_histogram* histogram,
                                                        const char** text);

/* Returns the species of a shell, and its cut-off. Each pointer may be NULL. Shells are
 * numbered from 0; STARHIST_BAD_ARGUMENT after the last one. STARHIST_WRONG_STATE, also
 * from the next functions, unless the histogram counts neighbours. */
STARHIST_API starhist_status starhist_get_shell(starhist_histogram* histogram,
                                                size_t shell, size_t* centre,
                                                size_t* neighbour, double* cutoff);

/* Returns the distribution of the numbers of neighbours: particles[n] particles have n
 * neighbours, summed over the frames of a block or of all.
 *
 * most: largest number of neighbours of a particle; may be NULL. particles: NULL, or an
 * array of size > *most, otherwise STARHIST_BAD_SIZE; entries above *most become 0. */
STARHIST_API starhist_status starhist_get_neighbours(starhist_histogram* histogram,
                                                     uint64_t block, size_t shell,
                                                     size_t size, uint64_t* particles,
                                                     size_t* most);

/* Returns the time of a frame [from 0 on], NaN if unknown, its number of particles of
 * the shell's centre species, and the sum of their numbers of neighbours. Each pointer
 * may be NULL. STARHIST_NO_FRAMES if the frame does not exist. */
STARHIST_API starhist_status starhist_get_frame_neighbours(
    starhist_histogram* histogram, uint64_t frame, size_t shell, double* time,
    uint64_t* particles, uint64_t* neighbours);

/* Returns the number of neighbours of each particle, in the order of its positions,
 * summed over all frames; UINT64_MAX for a particle that is not of the shell's centre
 * species. particles: number of particles of a frame; may be NULL. size: this number,
 * otherwise STARHIST_BAD_SIZE; neighbours may be NULL, with any size.
 *
 * With one frame since starhist_reset() these are the coordination numbers in this
 * frame. STARHIST_WRONG_STATE if the number of particles, or their labels, have changed
 * since the first frame. */
STARHIST_API starhist_status
starhist_get_particle_neighbours(starhist_histogram* histogram, size_t shell,
                                 size_t size, uint64_t* neighbours, size_t* particles);

/* Properties of the frames of a block, except counts. The structure will not change. */
typedef struct starhist_block {
  uint64_t frames;         /* number of frames */
  uint64_t first_frame;    /* number of the first frame, from 0 on */
  uint64_t last_frame;     /* number of the last frame */
  int64_t last_step;       /* step of the last frame (starhist_set_time) */
  double last_time;        /* its time */
  double volume;           /* sum of the volumes V of the boxes; 0: no volumes */
  double inverse_volume;   /* sum of 1/V; 0: no volumes */
  double inscribed_radius; /* smallest half shortest lattice vector; infinite: no box */
  double box[9];           /* edges as rows, if has_box is 1 */
  int32_t has_box;         /* 1: all frames have this box, and it has a volume */
  int32_t reserved;        /* 0 */
} starhist_block;

/* Returns the sums over the frames of a block, or of all. */
STARHIST_API starhist_status starhist_get_block(starhist_histogram* histogram,
                                                uint64_t block, starhist_block* sums);

/* Returns the number of particles of a species, summed over the frames of a block,
 * or of all. STARHIST_BAD_ARGUMENT for an unknown species. */
STARHIST_API starhist_status starhist_get_particles(starhist_histogram* histogram,
                                                    uint64_t block, size_t species,
                                                    uint64_t* particles);

/* Returns the sum of (number of pairs) / V over the frames of a block, or of all; 0:
 * no volume. */
STARHIST_API starhist_status starhist_get_pairs_over_volume(
    starhist_histogram* histogram, uint64_t block, size_t pair, double* sum);

/* Returns the settings. Texts are valid until they are set again. Each pointer may
 * be NULL. */
STARHIST_API starhist_status starhist_get_settings(starhist_histogram* histogram,
                                                   double* r_max,
                                                   uint32_t* frames_per_block,
                                                   const char** length_unit,
                                                   const char** time_unit);

/* Return the name of a species, valid until the species are set again, and the
 * numbers of the species of a pair. */
STARHIST_API starhist_status starhist_get_species_name(starhist_histogram* histogram,
                                                       size_t species,
                                                       const char** name);
STARHIST_API starhist_status starhist_get_pair_species(starhist_histogram* histogram,
                                                       size_t pair, size_t* first,
                                                       size_t* second);

/* Returns how the histogram is counted, as names and values for a record:
 * "scheduler", "workers", "cpu variant", ... index counts from 0;
 * STARHIST_BAD_ARGUMENT after the last one. Texts are valid until the next call for
 * the histogram. */
STARHIST_API starhist_status starhist_get_provenance(starhist_histogram* histogram,
                                                     size_t index, const char** name,
                                                     const char** value);

/* ---- Libraries over this one ---- */

/* Sets the message of starhist_last_error() in this thread, for libraries that
 * return a starhist_status, such as libstarhist_file. NULL: "". */
STARHIST_API void starhist_set_last_error(const char* text);

#ifdef __cplusplus
}
#endif

#endif
