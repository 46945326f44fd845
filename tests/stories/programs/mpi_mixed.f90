! SPDX-License-Identifier: GPL-3.0-or-later
!
! Fortran and C (mpi_mixed_part.c) take turns: MPI begins here and ends there, communicators and requests that one made are
! used by the other.  In each half of the ranks, rings of one integer with the tags 1 to 4, each tag once.
program mixed
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine c_ring(comm, tag) bind(c)
      integer :: comm, tag
    end subroutine
    subroutine c_copy(comm, copy) bind(c)
      integer :: comm, copy
    end subroutine
    subroutine c_expect(comm, tag, numbers, request) bind(c)
      integer :: comm, tag, numbers(*), request
    end subroutine
    subroutine c_wait(request) bind(c)
      integer :: request
    end subroutine
    subroutine c_finalize() bind(c)
    end subroutine
  end interface
  integer :: ierror, rank, me, n, half, copy, numbers(4), requests(2)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_rank(half, me, ierror)
  call MPI_Comm_size(half, n, ierror)
  call c_ring(half, 1)
  call c_copy(half, copy)
  call MPI_Sendrecv(numbers(1), 1, MPI_INTEGER, mod(me + 1, n), 2, numbers(2), 1, MPI_INTEGER, mod(me + n - 1, n), 2, &
                    copy, MPI_STATUS_IGNORE, ierror)
  call MPI_Irecv(numbers(3), 1, MPI_INTEGER, mod(me + n - 1, n), 3, copy, requests(1), ierror)
  call MPI_Send(numbers(1), 1, MPI_INTEGER, mod(me + 1, n), 3, copy, ierror)
  call c_wait(requests(1))
  call c_expect(copy, 4, numbers(4), requests(1))
  call MPI_Isend(numbers(1), 1, MPI_INTEGER, mod(me + 1, n), 4, copy, requests(2), ierror)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  if (any(requests /= MPI_REQUEST_NULL)) stop 2
  call c_finalize()
end program
