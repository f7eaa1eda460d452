! g(r) of an ideal gas with libstarhist in Fortran.
!
!     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist)
!     gfortran starhist.f90 first.f90 $(pkg-config --libs libstarhist) $rpath -o first
program first
  use starhist
  implicit none
  integer(c_size_t), parameter :: particles = 1000, bins = 10
  type(c_ptr) :: context, histogram
  ! Stored by column, as in many Fortran programs: separate x, y and z.
  real(c_double) :: x(particles, 3), g(bins), errors(bins), box(3)
  integer(c_int64_t) :: counts(bins), out_of_range, pairs, state
  integer(c_intptr_t) :: stride
  integer :: frame, i, c, k

  box = 1.0_c_double
  state = 1
  stride = int(c_sizeof(x(1, 1)), c_intptr_t)
  call check(starhist_context_create(-1, 0, c_null_ptr, 0, context))
  call check(starhist_histogram_create(context, 0.5_c_double, bins, STARHIST_BOX_LENGTHS, &
    histogram))
  do frame = 1, 20
    do i = 1, int(particles)
      do c = 1, 3
        state = mod(1103515245_c_int64_t * state + 12345, 2147483648_c_int64_t)
        x(i, c) = real(state, c_double) / 2147483648.0_c_double
      end do
    end do
    call check(starhist_add_frame(histogram, particles, x, stride, &
      int(particles, c_intptr_t) * stride, box))
  end do
  call check(starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, 0_c_size_t, bins, counts, &
    out_of_range, pairs))
  call check(starhist_get_g(histogram, 0_c_size_t, STARHIST_PAIRS_OVER_VOLUME, bins, g, &
    errors))
  do k = 1, int(bins)
    print '(i10, f9.4)', counts(k), g(k)
  end do
  print '(i10)', out_of_range
  call starhist_histogram_destroy(histogram)
  call starhist_context_destroy(context)
end program
