! All functions of starhist.h and starhist_file.h, for Fortran 2018. Units, errors and
! ownership: see these headers.
!
! An argument that may be NULL in C is optional. Outputs have no intent: a call that fails
! leaves them unchanged. Texts that are passed in end with c_null_char, such as
! 'nm'//c_null_char; starhist_text() converts a text that a function returns. Numbers of
! species, pairs and blocks count from 0.
!
! Programs that call starhist_save() need libstarhist_file; for all others libstarhist is
! enough.
module starhist
  use, intrinsic :: iso_c_binding
  implicit none

  ! Status of a call.
  integer(c_int), parameter :: STARHIST_OK = 0, STARHIST_NULL_POINTER = 1, &
    STARHIST_BAD_ARGUMENT = 2, STARHIST_UNKNOWN_PAIR = 3, STARHIST_BAD_POSITION = 4, &
    STARHIST_BAD_BOX = 5, STARHIST_BAD_COUNT = 6, STARHIST_BAD_LABEL = 7, &
    STARHIST_BAD_SIZE = 8, STARHIST_WRONG_STATE = 9, STARHIST_NO_VOLUME = 10, &
    STARHIST_NO_FRAMES = 11, STARHIST_OUT_OF_MEMORY = 12, STARHIST_STARPU_FAILED = 13, &
    STARHIST_STARPU_SHARED = 14, STARHIST_FORKED = 15, STARHIST_FILE_ERROR = 16, &
    STARHIST_BROKEN = 17, STARHIST_INTERNAL_ERROR = 18, STARHIST_NO_GPU = 19

  ! Contents of a box: omitted; 3 lengths; 3 lengths, then 3 angles [degrees]; h(3, 3), where
  ! h(:, 1) is the first edge.
  integer(c_int), parameter :: STARHIST_BOX_NONE = 0, STARHIST_BOX_LENGTHS = 1, &
    STARHIST_BOX_ANGLES = 2, STARHIST_BOX_MATRIX = 3

  ! Normalisation of g(r).
  integer(c_int), parameter :: STARHIST_PAIRS_OVER_VOLUME = 0, STARHIST_MEAN_VOLUME = 1, &
    STARHIST_PER_FRAME = 2

  ! Where distances are measured.
  integer(c_int), parameter :: STARHIST_SPACE = 0, STARHIST_PLANE_XY = 1, &
    STARHIST_PLANE_XZ = 2, STARHIST_PLANE_YZ = 3

  ! Second quantity by which pairs are counted: cosine of the angle with an axis, distance
  ! along it.
  integer(c_int), parameter :: STARHIST_NO_SECOND_AXIS = 0, STARHIST_COSINE_X = 1, &
    STARHIST_COSINE_Y = 2, STARHIST_COSINE_Z = 3, STARHIST_SEPARATION_X = 4, &
    STARHIST_SEPARATION_Y = 5, STARHIST_SEPARATION_Z = 6

  ! Flags of starhist_context_create(); add them up.
  integer(c_int), parameter :: STARHIST_REFUSE_RUNNING = 1, STARHIST_STAY_AWAKE = 2, &
    STARHIST_TEAMS = 4

  ! Block number of all blocks together. UINT64_MAX: all bits are set.
  integer(c_int64_t), parameter :: STARHIST_ALL_BLOCKS = -1

  ! Properties of the frames of a block, except counts.
  type, bind(c) :: starhist_block
    integer(c_int64_t) :: frames       ! number of frames
    integer(c_int64_t) :: first_frame  ! number of the first frame, from 0 on
    integer(c_int64_t) :: last_frame   ! number of the last frame
    integer(c_int64_t) :: last_step    ! step of the last frame (starhist_set_time)
    real(c_double) :: last_time        ! its time
    real(c_double) :: volume           ! sum of the volumes V of the boxes; 0: no volumes
    real(c_double) :: inverse_volume   ! sum of 1/V; 0: no volumes
    real(c_double) :: inscribed_radius ! smallest half shortest lattice vector; infinite: no box
    real(c_double) :: box(9)           ! edges a, b, c, 3 numbers each, if has_box is 1
    integer(c_int32_t) :: has_box      ! 1: all frames have this box, and it has a volume
    integer(c_int32_t) :: reserved     ! 0
  end type

  interface
    ! ---- Library ----

    ! Version of the library, such as 0.3.0.
    function starhist_version() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function

    ! Name of a status, such as STARHIST_BAD_BOX.
    function starhist_status_name(status) bind(c) result(text)
      import
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function

    ! Message of this thread's last call that failed.
    function starhist_last_error() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function

    ! Sets this message, for libraries based on this one.
    subroutine starhist_set_last_error(text) bind(c)
      import
      character(kind=c_char), intent(in), optional :: text(*)
    end subroutine

    ! ---- Context: StarPU with its workers ----

    ! cpu_workers and gpus: largest numbers; -1: all. flags: 0 or a sum of flags.
    function starhist_context_create(cpu_workers, gpus, scheduler, flags, context) &
        bind(c) result(status)
      import
      integer(c_int), value :: cpu_workers, gpus, flags
      type(c_ptr), value :: scheduler  ! c_null_ptr: a suitable one
      type(c_ptr) :: context
      integer(c_int) :: status
    end function

    subroutine starhist_context_destroy(context) bind(c)
      import
      type(c_ptr), value :: context
    end subroutine

    ! Numbers of workers. shared: 1 if StarPU was already running, otherwise 0.
    function starhist_context_workers(context, cpu_workers, gpu_workers, shared) &
        bind(c) result(status)
      import
      type(c_ptr), value :: context
      integer(c_size_t), optional :: cpu_workers, gpu_workers
      integer(c_int), optional :: shared
      integer(c_int) :: status
    end function

    ! Waits for all counts, then puts the workers to sleep.
    function starhist_context_pause(context) bind(c) result(status)
      import
      type(c_ptr), value :: context
      integer(c_int) :: status
    end function

    ! Wakes the workers.
    function starhist_context_resume(context) bind(c) result(status)
      import
      type(c_ptr), value :: context
      integer(c_int) :: status
    end function

    ! ---- Histogram: settings, before the first frame ----

    ! Bins of equal width on [0, r_max), with r_max in the unit of positions and boxes.
    function starhist_histogram_create(context, r_max, bins, box_kind, histogram) &
        bind(c) result(status)
      import
      type(c_ptr), value :: context
      real(c_double), value :: r_max
      integer(c_int64_t), value :: bins
      integer(c_int), value :: box_kind
      type(c_ptr) :: histogram
      integer(c_int) :: status
    end function

    subroutine starhist_histogram_destroy(histogram) bind(c)
      import
      type(c_ptr), value :: histogram
    end subroutine

    ! names: the c_loc of each name, which ends with c_null_char.
    function starhist_set_species(histogram, species, names) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: species
      type(c_ptr), intent(in) :: names(*)
      integer(c_int) :: status
    end function

    ! pairs: 'O-O,O-H'//c_null_char. Default: all pairs.
    function starhist_set_pairs(histogram, pairs) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      character(kind=c_char), intent(in) :: pairs(*)
      integer(c_int) :: status
    end function

    ! Bins between rising edges, in place of those of starhist_histogram_create(); size: their
    ! number, 2 to 1001.
    function starhist_set_edges(histogram, size, edges) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: size
      real(c_double), intent(in) :: edges(*)
      integer(c_int) :: status
    end function

    ! Distances in a plane: STARHIST_PLANE_XY, ... Areas take the place of volumes.
    function starhist_set_plane(histogram, plane) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int), value :: plane
      integer(c_int) :: status
    end function

    ! Counts pairs also by a second quantity: STARHIST_COSINE_Z, ... bins: 0 for the default.
    ! limit: upper edge of separations along the normal of a plane, or 0.
    function starhist_set_second_axis(histogram, quantity, bins, limit) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int), value :: quantity
      integer(c_int32_t), value :: bins
      real(c_double), value :: limit
      integer(c_int) :: status
    end function

    ! Counts between frames. frames: the lags in frames, rising; lags: their number. Frames
    ! 0, every_origin, ... are origins. unwrapped: 1 if positions are continuous; 0: follow
    ! particles through nearest images.
    function starhist_set_lags(histogram, lags, frames, every_origin, unwrapped) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: lags
      integer(c_int64_t), intent(in) :: frames(*)
      integer(c_int64_t), value :: every_origin
      integer(c_int), value :: unwrapped
      integer(c_int) :: status
    end function

    ! Counts neighbours in place of pairs: particles of species neighbours(s) nearer than
    ! cutoffs(s) to each particle of species centres(s). Species are numbered from 0.
    function starhist_set_shells(histogram, shells, centres, neighbours, cutoffs) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: shells
      integer(c_size_t), intent(in) :: centres(*), neighbours(*)
      real(c_double), intent(in) :: cutoffs(*)
      integer(c_int) :: status
    end function

    ! Periodicity along the edges: 1 or 0 each. Default: 1, 1, 1.
    function starhist_set_periodic(histogram, a, b, c) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int), value :: a, b, c
      integer(c_int) :: status
    end function

    ! Frames per block [>= 1]. Errors come from the differences of blocks.
    function starhist_set_frames_per_block(histogram, frames) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int32_t), value :: frames
      integer(c_int) :: status
    end function

    ! Expected number of frames, which determines the default length of blocks.
    function starhist_set_expected_frames(histogram, frames) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: frames
      integer(c_int) :: status
    end function

    ! Limit of main memory for frames and counts in flight [bytes].
    function starhist_set_memory(histogram, bytes) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: bytes
      integer(c_int) :: status
    end function

    ! Units for result files: 'nm'//c_null_char, 'ps'//c_null_char. Converts no numbers.
    function starhist_set_units(histogram, length, time) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      character(kind=c_char), intent(in) :: length(*), time(*)
      integer(c_int) :: status
    end function

    ! ---- Frames ----

    ! Species of each particle, from 0 on, for all later frames; -1: not counted.
    function starhist_set_labels(histogram, particles, labels) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      integer(c_int32_t), intent(in) :: labels(*)
      integer(c_int) :: status
    end function

    ! Number of particles of each species, if particles are sorted by species.
    function starhist_set_species_counts(histogram, species, counts) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: species
      integer(c_int64_t), intent(in) :: counts(*)
      integer(c_int) :: status
    end function

    ! Step and time of the next frame, for result files.
    function starhist_set_time(histogram, step, time) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: step
      real(c_double), value :: time
      integer(c_int) :: status
    end function

    ! positions: x(3, particles) with strides 0, 0. x(particles, 3) has the strides [bytes]
    ! c_sizeof(x(1, 1)) and particles * c_sizeof(x(1, 1)).
    ! box: see STARHIST_BOX_NONE; omit it with that kind.
    function starhist_add_frame(histogram, particles, positions, particle_stride, &
        component_stride, box) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      real(c_double), intent(in) :: positions(*)
      integer(c_intptr_t), value :: particle_stride, component_stride
      real(c_double), intent(in), optional :: box(*)
      integer(c_int) :: status
    end function

    ! Positions in single precision.
    function starhist_add_frame_float(histogram, particles, positions, particle_stride, &
        component_stride, box) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      real(c_float), intent(in) :: positions(*)
      integer(c_intptr_t), value :: particle_stride, component_stride
      real(c_double), intent(in), optional :: box(*)
      integer(c_int) :: status
    end function

    ! positions: address of numbers of c_double in the memory of a GPU. stream: the cudaStream_t
    ! that computes them; c_null_ptr: the default stream.
    function starhist_add_gpu_frame(histogram, particles, positions, particle_stride, &
        component_stride, stream, box) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      type(c_ptr), value :: positions, stream
      integer(c_intptr_t), value :: particle_stride, component_stride
      real(c_double), intent(in), optional :: box(*)
      integer(c_int) :: status
    end function

    ! Positions on a GPU in single precision (c_float).
    function starhist_add_gpu_frame_float(histogram, particles, positions, particle_stride, &
        component_stride, stream, box) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      type(c_ptr), value :: positions, stream
      integer(c_intptr_t), value :: particle_stride, component_stride
      real(c_double), intent(in), optional :: box(*)
      integer(c_int) :: status
    end function

    ! Discards all frames and keeps the settings.
    function starhist_reset(histogram) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int) :: status
    end function

    ! ---- Results of the frames added so far ----

    function starhist_get_numbers(histogram, frames, blocks, species, pairs, bins) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), optional :: frames, blocks
      integer(c_size_t), optional :: species, pairs, bins
      integer(c_int) :: status
    end function

    ! Name of a pair, such as O-H.
    function starhist_get_pair_name(histogram, pair, name) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair
      type(c_ptr) :: name
      integer(c_int) :: status
    end function

    ! Number of a pair: name is 'O-H'//c_null_char.
    function starhist_find_pair(histogram, name, pair) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t) :: pair
      integer(c_int) :: status
    end function

    ! Edges of the bins, in the unit of r_max. size: bins + 1.
    function starhist_get_edges(histogram, size, edges) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: size
      real(c_double) :: edges(*)
      integer(c_int) :: status
    end function

    ! 1 if starhist_set_edges() has set the bins, otherwise 0.
    function starhist_has_edges(histogram, has_edges) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int) :: has_edges
      integer(c_int) :: status
    end function

    ! Plane in which distances are measured.
    function starhist_get_plane(histogram, plane) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int) :: plane
      integer(c_int) :: status
    end function

    ! Pairs in each bin, pairs at r >= r_max, and all pairs, of a block or STARHIST_ALL_BLOCKS.
    ! size: number of bins.
    function starhist_get_counts(histogram, block, pair, size, counts, out_of_range, pairs) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: pair, size
      integer(c_int64_t), optional :: counts(*), out_of_range, pairs
      integer(c_int) :: status
    end function

    ! Second quantity, its number of bins, and the upper edge of separations along a normal.
    function starhist_get_second_axis(histogram, quantity, bins, limit) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int), optional :: quantity
      integer(c_int32_t), optional :: bins
      real(c_double), optional :: limit
      integer(c_int) :: status
    end function

    ! Edges of the second axis, one more than its bins.
    function starhist_get_second_edges(histogram, size, edges) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: size
      real(c_double) :: edges(*)
      integer(c_int) :: status
    end function

    ! Pairs by distance and second axis: counts(c, k) of an array counts(second bins, bins) for
    ! bin k of the distance and bin c of the second axis. size: number of its elements.
    function starhist_get_second_counts(histogram, block, pair, size, counts) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: pair, size
      integer(c_int64_t) :: counts(*)
      integer(c_int) :: status
    end function

    ! In a plane with a second axis: sum of (number of pairs) / volume over the frames, and half
    ! the smallest period along the normal.
    function starhist_get_pairs_over_space(histogram, block, pair, sum, half_period) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: pair
      real(c_double), optional :: sum, half_period
      integer(c_int) :: status
    end function

    ! g(r) [dimensionless] and its standard errors in each bin.
    function starhist_get_g(histogram, pair, normalization, size, g, errors) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair, size
      integer(c_int), value :: normalization
      real(c_double), optional :: g(*), errors(*)
      integer(c_int) :: status
    end function

    ! Mean number of particles of B around one of A within the upper edge of each bin, and
    ! standard errors. reverse: 0, or 1 for A around B.
    function starhist_get_coordination(histogram, pair, reverse, size, n, errors) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair, size
      integer(c_int), value :: reverse
      real(c_double), optional :: n(*), errors(*)
      integer(c_int) :: status
    end function

    function starhist_get_block(histogram, block, sums) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      type(starhist_block) :: sums
      integer(c_int) :: status
    end function

    ! Number of particles of a species, summed over the frames.
    function starhist_get_particles(histogram, block, species, particles) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: species
      integer(c_int64_t) :: particles
      integer(c_int) :: status
    end function

    ! Sum of (number of pairs) / V over the frames [1 / (unit of r_max)^3].
    function starhist_get_pairs_over_volume(histogram, block, pair, sum) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: pair
      real(c_double) :: sum
      integer(c_int) :: status
    end function

    function starhist_get_settings(histogram, r_max, frames_per_block, length_unit, &
        time_unit) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      real(c_double), optional :: r_max
      integer(c_int32_t), optional :: frames_per_block
      type(c_ptr), optional :: length_unit, time_unit
      integer(c_int) :: status
    end function

    function starhist_get_species_name(histogram, species, name) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: species
      type(c_ptr) :: name
      integer(c_int) :: status
    end function

    ! Numbers of the species of a pair.
    function starhist_get_pair_species(histogram, pair, first, second) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair
      integer(c_size_t), optional :: first, second
      integer(c_int) :: status
    end function

    ! Lag of a pair [frames].
    function starhist_get_pair_lag(histogram, pair, lag) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair
      integer(c_int64_t) :: lag
      integer(c_int) :: status
    end function

    ! Displacements of a species over a lag: their number in each bin, at or beyond r_max, and
    ! in all, the sum of their squares, the number of frames with an origin, and the sum of the
    ! times between both.
    function starhist_get_displacements(histogram, block, lag, species, size, counts, &
        out_of_range, particles, squares, frames, time) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block, lag
      integer(c_size_t), value :: species, size
      integer(c_int64_t), optional :: counts(*)
      integer(c_int64_t), optional :: out_of_range, particles
      real(c_double), optional :: squares
      integer(c_int64_t), optional :: frames
      real(c_double), optional :: time
      integer(c_int) :: status
    end function

    ! Species of a shell, from 0 on, and its cut-off.
    function starhist_get_shell(histogram, shell, centre, neighbour, cutoff) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: shell
      integer(c_size_t), optional :: centre, neighbour
      real(c_double), optional :: cutoff
      integer(c_int) :: status
    end function

    ! particles(n + 1): number of particles with n neighbours. size: more than `most`, the
    ! largest number of neighbours.
    function starhist_get_neighbours(histogram, block, shell, size, particles, most) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: shell, size
      integer(c_int64_t), optional :: particles(*)
      integer(c_size_t), optional :: most
      integer(c_int) :: status
    end function

    ! Time of a frame, counted from 0, its particles that have neighbours, and the sum of their
    ! numbers of neighbours.
    function starhist_get_frame_neighbours(histogram, frame, shell, time, particles, &
        neighbours) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: frame
      integer(c_size_t), value :: shell
      real(c_double), optional :: time
      integer(c_int64_t), optional :: particles, neighbours
      integer(c_int) :: status
    end function

    ! Neighbours of each particle, summed over all frames; -1 for a particle of another
    ! species. size: particles, the number of particles.
    function starhist_get_particle_neighbours(histogram, shell, size, neighbours, particles) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: shell, size
      integer(c_int64_t), optional :: neighbours(*)
      integer(c_size_t), optional :: particles
      integer(c_int) :: status
    end function

    ! Warning about standard errors from few or short blocks; starhist_text(text) is '' if none.
    function starhist_get_error_warning(histogram, text) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      type(c_ptr) :: text
      integer(c_int) :: status
    end function

    ! Entry of the provenance; STARHIST_BAD_ARGUMENT after the last one. index: from 0 on.
    function starhist_get_provenance(histogram, index, name, value) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: index
      type(c_ptr), optional :: name, value
      integer(c_int) :: status
    end function

    ! ---- Result files: libstarhist_file ----

    ! Writes a result file. path: 'rdf.h5'//c_null_char. overwrite: 1 to replace it, otherwise 0.
    function starhist_save(histogram, path, overwrite) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: overwrite
      integer(c_int) :: status
    end function

    function c_length(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! Returns a text of the library.
  function starhist_text(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer(c_size_t) :: i
    call c_f_pointer(text, letters, [c_length(text)])
    allocate (character(size(letters)) :: copy)
    do i = 1, size(letters, kind=c_size_t)
      copy(i:i) = letters(i)
    end do
  end function

  ! Stops the program with the library's message unless the status is STARHIST_OK.
  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == STARHIST_OK) return
    print '(a)', starhist_text(starhist_last_error())
    error stop 1
  end subroutine

end module
