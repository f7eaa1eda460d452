! Saves the pair counts of a moving crystal cell, CsCl, as a result file with species, units
! and blocks, which `starhist export FILE` reads.
!
!     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist_file)
!     gfortran starhist.f90 save.f90 $(pkg-config --libs libstarhist_file) $rpath -o save
!     ./save FILE
program save_result
  use starhist
  implicit none
  integer(c_size_t), parameter :: particles = 9, bins = 4
  real(c_double), parameter :: box(3) = 4.0_c_double  ! nm
  ! Each name ends with c_null_char.
  character(kind=c_char, len=3), target :: names(2) = ['Cs'//c_null_char, 'Cl'//c_null_char]
  ! Species of each particle, counted from 0: 8 Cl, then Cs.
  integer(c_int32_t), parameter :: labels(particles) = [1, 1, 1, 1, 1, 1, 1, 1, 0]
  type(c_ptr) :: context, histogram, name
  real(c_float) :: x(3, particles)
  real(c_double) :: time
  integer(c_int64_t) :: counts(bins), blocks
  integer(c_size_t) :: pair, pairs
  character(len=1000) :: file
  integer :: frame

  if (command_argument_count() /= 1) error stop 'usage: save FILE'
  call get_command_argument(1, file)

  call check(starhist_context_create(1, 0, c_null_ptr, 0, context))
  call check(starhist_histogram_create(context, 2.0_c_double, bins, STARHIST_BOX_LENGTHS, &
    histogram))
  call check(starhist_set_species(histogram, 2_c_size_t, [c_loc(names(1)), c_loc(names(2))]))
  call check(starhist_set_pairs(histogram, 'Cs-Cl,Cl-Cl'//c_null_char))
  call check(starhist_set_units(histogram, 'nm'//c_null_char, 'ps'//c_null_char))
  call check(starhist_set_frames_per_block(histogram, 2))
  call check(starhist_set_labels(histogram, particles, labels))
  do frame = 0, 5
    call move_cell(0.75_c_float * frame, x)
    time = 0.25_c_double * frame
    call check(starhist_set_time(histogram, 100_c_int64_t * frame, time))
    call check(starhist_add_frame_float(histogram, particles, x, 0_c_intptr_t, 0_c_intptr_t, box))
  end do

  call check(starhist_get_numbers(histogram, blocks=blocks, pairs=pairs))
  print '(i0, a)', blocks, ' blocks'
  do pair = 0, pairs - 1
    call check(starhist_get_pair_name(histogram, pair, name))
    call check(starhist_get_counts(histogram, STARHIST_ALL_BLOCKS, pair, bins, counts))
    print '(a, *(1x, i0))', starhist_text(name), counts
  end do
  call check(starhist_save(histogram, trim(file)//c_null_char, 0))
  call starhist_histogram_destroy(histogram)
  call starhist_context_destroy(context)

contains

  ! Cl at the corners of a cube of 1 nm, Cs in its centre, all wrapped into the box.
  subroutine move_cell(shift, x)
    real(c_float), intent(in) :: shift
    real(c_float), intent(out) :: x(3, particles)
    integer :: k
    do k = 1, 8
      x(:, k) = real([mod(k, 2), mod(k / 2, 2), mod(k / 4, 2)], c_float)
    end do
    x(:, 9) = 0.5_c_float
    x = modulo(x + shift, real(box(1), c_float))
  end subroutine

end program
