! SPDX-License-Identifier: GPL-3.0-or-later
!
! Calls of MPI one after another, each in a line of its own, with and without a buffer; compile it with -DF77, -DMODULE
! or -DF08.
program called
#ifdef MODULE
   use mpi
#elif defined F08
   use mpi_f08
#endif
   implicit none
#ifdef F77
   include 'mpif.h'
#endif
   integer :: ierr, rank, total, numbers(10)
   numbers = 0
   call mpi_init(ierr)
   call mpi_comm_rank(mpi_comm_world, rank, ierr)
   call step()
   call step()
   call mpi_finalize(ierr)
contains
   subroutine step()
      call mpi_allreduce(rank, total, 1, mpi_integer, mpi_sum, mpi_comm_world, ierr)
      call mpi_bcast(numbers, 10, mpi_integer, 0, mpi_comm_world, ierr)
      call mpi_barrier(mpi_comm_world, ierr)
   end subroutine
end program
