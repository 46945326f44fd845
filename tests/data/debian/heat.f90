! SPDX-License-Identifier: GPL-3.0-or-later
!
! Heat that spreads round a ring of images: what one puts into the other is MPI_Put, by OpenCoarrays.
program heat
  implicit none
  integer :: left, right, step
  real, allocatable :: t(:)[:]
  allocate(t(0:101)[*])
  t = this_image()
  left = merge(num_images(), this_image() - 1, this_image() == 1)
  right = merge(1, this_image() + 1, this_image() == num_images())
  sync all
  do step = 1, 50
     t(101)[left] = t(1)
     t(0)[right] = t(100)
     sync all
     t(1:100) = 0.25 * t(0:99) + 0.5 * t(1:100) + 0.25 * t(2:101)
     sync all
  end do
  if (this_image() == 1) print '(a, f8.5)', 'middle of the first image ', t(50)
end program
