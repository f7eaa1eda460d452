! The functions of starhist.h that most programs need, for Fortran 2008. Others are declared
! in the same way. Units, errors and ownership: see starhist.h.
module starhist
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: STARHIST_OK = 0
  integer(c_int), parameter :: STARHIST_BOX_NONE = 0, STARHIST_BOX_LENGTHS = 1, &
    STARHIST_BOX_ANGLES = 2, STARHIST_BOX_MATRIX = 3
  integer(c_int), parameter :: STARHIST_PAIRS_OVER_VOLUME = 0, STARHIST_MEAN_VOLUME = 1, &
    STARHIST_PER_FRAME = 2
  ! UINT64_MAX: all bits are set.
  integer(c_int64_t), parameter :: STARHIST_ALL_BLOCKS = -1

  interface
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

    ! positions: x(3, particles) with strides 0, 0.
    ! x(particles, 3): strides c_sizeof(x(1, 1)) and particles * c_sizeof(x(1, 1)).
    function starhist_add_frame(histogram, particles, positions, particle_stride, &
        component_stride, box) bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: particles
      real(c_double), intent(in) :: positions(*)
      integer(c_intptr_t), value :: particle_stride, component_stride
      real(c_double), intent(in) :: box(*)
      integer(c_int) :: status
    end function

    function starhist_get_counts(histogram, block, pair, size, counts, out_of_range, pairs) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_int64_t), value :: block
      integer(c_size_t), value :: pair, size
      integer(c_int64_t) :: counts(*), out_of_range, pairs
      integer(c_int) :: status
    end function

    function starhist_get_g(histogram, pair, normalization, size, g, errors) &
        bind(c) result(status)
      import
      type(c_ptr), value :: histogram
      integer(c_size_t), value :: pair, size
      integer(c_int), value :: normalization
      real(c_double) :: g(*), errors(*)
      integer(c_int) :: status
    end function

    function starhist_last_error() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function

    function c_length(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! Stops the program with the library's message unless the status is STARHIST_OK.
  subroutine check(status)
    integer(c_int), intent(in) :: status
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: text
    if (status == STARHIST_OK) return
    text = starhist_last_error()
    call c_f_pointer(text, letters, [c_length(text)])
    print '(*(a))', letters
    error stop 1
  end subroutine

end module
