! SPDX-License-Identifier: GPL-3.0-or-later
!
! What MPI offers, from Fortran, on 4 ranks: messages of every kind, requests completed in every way, communicators,
! collective calls, one-sided calls, files.  Each rank writes into did.<rank> what it did, for test_fortran.py to compare.
! One text for the three ways to MPI: compiled with -DF77 (mpif.h), -DMODULE (use mpi) or -DF08 (use mpi_f08, where the
! last argument of a call may be left out).

#ifdef F08
#define HANDLE(kind) type(kind)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define ENDS )
#define ALONE ()
#define SOURCE_OF(s) s%MPI_SOURCE
#define ROOM_OF(array) address
#else
#define HANDLE(kind) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define ENDS , ierror)
#define ALONE (ierror)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define ROOM_OF(array) array
#endif
#ifdef F77
#define ADDRESS integer(MPI_ADDRESS_KIND)
#define USES
#define INCLUDES include 'mpif.h'
#elif defined(F08)
#define ADDRESS type(c_ptr)
#define USES use mpi_f08
#define INCLUDES
#else
#define ADDRESS type(c_ptr)
#define USES use mpi
#define INCLUDES
#endif

module did
  use, intrinsic :: iso_c_binding, only : c_ptr
  USES
  implicit none
  INCLUDES
  integer :: rank, n_ranks, ierror, numbers(1000), got(1000)
  integer, parameter :: many = 100
contains
  subroutine sent(to, tag, n)
    integer, intent(in) :: to, tag, n
    write (9, *) 'sent', to, tag, 4 * n
  end subroutine

  subroutine collective(root, n_sent, n_received)
    integer, intent(in) :: root, n_sent, n_received
    write (9, *) 'collective', root, 4 * n_sent, 4 * n_received
  end subroutine

  ! A new communicator: its members, and a message to the next of them.
  subroutine made(comm, tag)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: tag
    HANDLE(MPI_Group) :: mine, world
    integer :: me, n, i
    integer :: in_world(0:63)
    call MPI_Comm_rank(comm, me ENDS
    call MPI_Comm_size(comm, n ENDS
    call MPI_Comm_group(comm, mine ENDS
    call MPI_Comm_group(MPI_COMM_WORLD, world ENDS
    call MPI_Group_translate_ranks(mine, n, [(i, i = 0, n - 1)], world, in_world ENDS
    write (9, *) 'comm', in_world(0:n - 1)
    call MPI_Sendrecv(numbers, 1, MPI_INTEGER, mod(me + 1, n), tag, got, 1, MPI_INTEGER, mod(me + n - 1, n), tag, &
                      comm, MPI_STATUS_IGNORE ENDS
    call sent(in_world(mod(me + 1, n)), tag, 1)
  end subroutine

  subroutine blocking
    STATUS :: st
    HANDLE(MPI_Request) :: request
    HANDLE(MPI_Message) :: message
    type(c_ptr) :: address
    integer :: other, room(10000), n_bytes
    logical :: flag
    call MPI_Buffer_attach(room, 40000 ENDS
    if (rank == 0) then
      call MPI_Send(numbers, 1, MPI_INTEGER, 1, 101, MPI_COMM_WORLD ENDS
      call sent(1, 101, 1)
      call MPI_Bsend(numbers, 2, MPI_INTEGER, 1, 102, MPI_COMM_WORLD ENDS
      call sent(1, 102, 2)
      call MPI_Ssend(numbers, 3, MPI_INTEGER, 1, 103, MPI_COMM_WORLD ENDS
      call sent(1, 103, 3)
      call MPI_Send(numbers, 2, MPI_DOUBLE_PRECISION, 1, 104, MPI_COMM_WORLD ENDS
      call sent(1, 104, 4)
      call MPI_Send(numbers, 5, MPI_INTEGER, 1, 105, MPI_COMM_WORLD ENDS
      call sent(1, 105, 5)
      call MPI_Send(numbers, 6, MPI_INTEGER, 1, 106, MPI_COMM_WORLD ENDS
      call sent(1, 106, 6)
    else if (rank == 1) then
      call MPI_Recv(got, 1, MPI_INTEGER, 0, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE ENDS
      call MPI_Recv(got, 100, MPI_INTEGER, MPI_ANY_SOURCE, 102, MPI_COMM_WORLD, st ENDS
      if (SOURCE_OF(st) /= 0) stop 3
      call MPI_Recv(got, 3, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE ENDS
      call MPI_Probe(0, 104, MPI_COMM_WORLD, st ENDS
      call MPI_Recv(got, 2, MPI_DOUBLE_PRECISION, 0, 104, MPI_COMM_WORLD, st ENDS
      call MPI_Mprobe(MPI_ANY_SOURCE, 105, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE ENDS
      call MPI_Mrecv(got, 5, MPI_INTEGER, message, MPI_STATUS_IGNORE ENDS
      flag = .false.
      do while (.not. flag)
        call MPI_Improbe(0, 106, MPI_COMM_WORLD, flag, message, st ENDS
      end do
      call MPI_Imrecv(got, 6, MPI_INTEGER, message, request ENDS
      call MPI_Wait(request, MPI_STATUS_IGNORE ENDS
    end if
    other = ieor(rank, 1)
    call MPI_Sendrecv(numbers, 7, MPI_INTEGER, other, 107, got, 7, MPI_INTEGER, other, 107, MPI_COMM_WORLD, st ENDS
    call sent(other, 107, 7)
    call MPI_Sendrecv_replace(numbers, 8, MPI_INTEGER, other, 108, other, 108, MPI_COMM_WORLD, MPI_STATUS_IGNORE ENDS
    call sent(other, 108, 8)
    call MPI_Send(numbers, 1, MPI_INTEGER, MPI_PROC_NULL, 109, MPI_COMM_WORLD ENDS
    call MPI_Recv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 109, MPI_COMM_WORLD, MPI_STATUS_IGNORE ENDS
    call MPI_Irecv(got, 1, MPI_INTEGER, other, 110, MPI_COMM_WORLD, request ENDS
    call MPI_Cancel(request ENDS
    call MPI_Wait(request, MPI_STATUS_IGNORE ENDS
    call MPI_Buffer_detach(ROOM_OF(room), n_bytes ENDS
  end subroutine

  ! n messages from 0 to 1, begun on both sides.
  subroutine begin_some(n, tag, requests)
    integer, intent(in) :: n, tag
    HANDLE(MPI_Request), intent(inout) :: requests(n)
    integer :: i
    do i = 1, n
      if (rank == 0) then
        call MPI_Isend(numbers(i), 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, requests(i) ENDS
        call sent(1, tag, 1)
      else
        call MPI_Irecv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, requests(i) ENDS
      end if
    end do
  end subroutine

  subroutine several
    HANDLE(MPI_Request) :: requests(many)
    STATUSES(many) :: statuses
    STATUS :: st
    integer :: i, n, n_done, which, whichs(many)
    logical :: flag
    if (rank > 1) return
    call begin_some(many, 301, requests)
    call MPI_Waitall(many, requests, MPI_STATUSES_IGNORE ENDS
    call begin_some(10, 302, requests)
    call MPI_Waitall(10, requests, statuses ENDS
    call begin_some(40, 303, requests)
    do i = 1, 41
      call MPI_Waitany(40, requests, which, MPI_STATUS_IGNORE ENDS
    end do
    if (which /= MPI_UNDEFINED) stop 4
    n = 0
    call begin_some(many, 304, requests)
    do while (n < many)
      call MPI_Waitsome(many, requests, n_done, whichs, MPI_STATUSES_IGNORE ENDS
      n = n + n_done
    end do
    flag = .false.
    call begin_some(7, 305, requests)
    do while (.not. flag)
      call MPI_Testall(7, requests, flag, MPI_STATUSES_IGNORE ENDS
    end do
    n = 0
    call begin_some(8, 306, requests)
    do while (n < 8)
      call MPI_Testany(8, requests, which, flag, st ENDS
      if (flag) n = n + 1
    end do
    n = 0
    call begin_some(50, 307, requests)
    do while (n < 50)
      call MPI_Testsome(50, requests, n_done, whichs, statuses ENDS
      n = n + n_done
    end do
    call begin_some(2, 308, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE ENDS
    end do
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(2), flag, st ENDS
    end do
    call MPI_Wait(requests(2), st ENDS
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE ENDS
  end subroutine

  subroutine persistent
    HANDLE(MPI_Request) :: requests(3)
    integer :: i, round
    if (rank > 1) return
    do i = 1, 3
      if (rank == 0) then
        call MPI_Send_init(numbers, i, MPI_INTEGER, 1, 400 + i, MPI_COMM_WORLD, requests(i) ENDS
      else
        call MPI_Recv_init(got(4 * i), 4, MPI_INTEGER, MPI_ANY_SOURCE, 400 + i, MPI_COMM_WORLD, requests(i) ENDS
      end if
    end do
    do round = 1, 5
      call MPI_Start(requests(1) ENDS
      call MPI_Startall(2, requests(2:3) ENDS
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE ENDS
      do i = 1, 3
        if (rank == 0) call sent(1, 400 + i, i)
      end do
    end do
    do i = 1, 3
      call MPI_Request_free(requests(i) ENDS
    end do
  end subroutine

  subroutine communicators
    HANDLE(MPI_Comm) :: copy, half, grid, line, none
    logical :: around(2)
    write (9, *) 'comm', 0, 1, 2, 3
    write (9, *) 'comm', rank
    call MPI_Comm_dup(MPI_COMM_WORLD, copy ENDS
    call made(copy, 501)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half ENDS
    call made(half, 502)
    around = .true.
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], around, .false., grid ENDS
    call made(grid, 503)
    call MPI_Cart_sub(grid, [.false., .true.], line ENDS
    call made(line, 504)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, rank == 0), 0, none ENDS
    if (rank > 0) call made(none, 505)
    call MPI_Comm_free(copy ENDS
    call MPI_Comm_dup(MPI_COMM_WORLD, copy ENDS
    call made(copy, 506)
  end subroutine

  subroutine collectives
    HANDLE(MPI_Request) :: request
    HANDLE(MPI_Datatype) :: types(4)
    HANDLE(MPI_Comm) :: w
    integer :: counts(4), offsets(4), places(4), ones(4), mine
    counts = [1, 2, 3, 4]
    offsets = [0, 1, 3, 6]
    places = [0, 4, 8, 12]
    ones = 1
    types = MPI_INTEGER
    mine = rank + 1
    w = MPI_COMM_WORLD
    call MPI_Barrier(w ENDS
    call collective(-1, 0, 0)
    call MPI_Bcast(numbers, 10, MPI_INTEGER, 2, w ENDS
    call collective(2, merge(10, 0, rank == 2), merge(0, 10, rank == 2))
    call MPI_Reduce(numbers, got, 5, MPI_INTEGER, MPI_SUM, 1, w ENDS
    call collective(1, 5, merge(5, 0, rank == 1))
    call MPI_Allreduce(MPI_IN_PLACE, got, 6, MPI_INTEGER, MPI_SUM, w ENDS
    call collective(-1, 6, 6)
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 2, MPI_INTEGER, 0, w ENDS
    else
      call MPI_Gather(numbers, 2, MPI_INTEGER, got, 0, MPI_DATATYPE_NULL, 0, w ENDS
    end if
    call collective(0, 2, merge(8, 0, rank == 0))
    call MPI_Gatherv(numbers, mine, MPI_INTEGER, got, counts, offsets, MPI_INTEGER, 3, w ENDS
    call collective(3, mine, merge(10, 0, rank == 3))
    if (rank == 1) then
      call MPI_Scatter(numbers, 3, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 1, w ENDS
    else
      call MPI_Scatter(numbers, 3, MPI_INTEGER, got, 3, MPI_INTEGER, 1, w ENDS
    end if
    call collective(1, merge(12, 0, rank == 1), 3)
    call MPI_Scatterv(numbers, counts, offsets, MPI_INTEGER, got, mine, MPI_INTEGER, 0, w ENDS
    call collective(0, merge(10, 0, rank == 0), mine)
    call MPI_Allgather(numbers, 2, MPI_INTEGER, got, 2, MPI_INTEGER, w ENDS
    call collective(-1, 2, 8)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, offsets, MPI_INTEGER, w ENDS
    call collective(-1, mine, 10)
    call MPI_Alltoall(numbers, 2, MPI_INTEGER, got, 2, MPI_INTEGER, w ENDS
    call collective(-1, 8, 8)
    call MPI_Alltoallv(numbers, ones, offsets, MPI_INTEGER, got, ones, offsets, MPI_INTEGER, w ENDS
    call collective(-1, 4, 4)
    call MPI_Alltoallv(MPI_IN_PLACE, ones, offsets, MPI_INTEGER, got, ones, offsets, MPI_INTEGER, w ENDS
    call collective(-1, 4, 4)
    call MPI_Alltoallw(numbers, ones, places, types, got, ones, places, types, w ENDS
    call collective(-1, 4, 4)
    call MPI_Reduce_scatter(numbers, got, counts, MPI_INTEGER, MPI_SUM, w ENDS
    call collective(-1, 10, mine)
    call MPI_Reduce_scatter_block(numbers, got, 2, MPI_INTEGER, MPI_SUM, w ENDS
    call collective(-1, 8, 2)
    call MPI_Scan(numbers, got, 7, MPI_INTEGER, MPI_SUM, w ENDS
    call collective(-1, 7, 7)
    call MPI_Iallreduce(numbers, got, 9, MPI_INTEGER, MPI_SUM, w, request ENDS
    call MPI_Wait(request, MPI_STATUS_IGNORE ENDS
    call collective(-1, 9, 9)
    call MPI_Ibarrier(w, request ENDS
    call MPI_Wait(request, MPI_STATUS_IGNORE ENDS
    call collective(-1, 0, 0)
  end subroutine

  subroutine memory_and_files
    HANDLE(MPI_Win) :: window
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request
    STATUS :: st
    integer(MPI_ADDRESS_KIND) :: n_bytes, at
    integer(MPI_OFFSET_KIND) :: place
    ADDRESS :: memory
    n_bytes = 4000
    call MPI_Win_allocate(n_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window ENDS
    call MPI_Win_fence(0, window ENDS
    at = 3
    if (rank == 0) then
      call MPI_Put(got, 3, MPI_INTEGER, 1, at, 3, MPI_INTEGER, window ENDS
      write (9, *) 'one-sided', 12, 1
      call MPI_Accumulate(got, 4, MPI_INTEGER, 2, at, 4, MPI_INTEGER, MPI_SUM, window ENDS
      write (9, *) 'one-sided', 16, 2
    end if
    call MPI_Win_fence(0, window ENDS
    if (rank == 3) then
      call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window ENDS
      call MPI_Get(got, 5, MPI_INTEGER, 0, at, 5, MPI_INTEGER, window ENDS
      write (9, *) 'one-sided', 20, 0
      call MPI_Win_unlock(0, window ENDS
    end if
    call MPI_Win_fence(0, window ENDS
    call MPI_Win_free(window ENDS
    place = 40 * rank
    call MPI_File_open(MPI_COMM_WORLD, 'numbers', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file ENDS
    call MPI_File_write_at(file, place, numbers, 10, MPI_INTEGER, MPI_STATUS_IGNORE ENDS
    write (9, *) 'io', 40
    call MPI_File_read_at_all(file, place, got, 10, MPI_INTEGER, st ENDS
    write (9, *) 'io', 40
    call MPI_File_iread_at(file, place, got, 1, MPI_INTEGER, request ENDS
    call MPI_Wait(request, MPI_STATUS_IGNORE ENDS
    write (9, *) 'io', 4
    call MPI_File_close(file ENDS
  end subroutine
end module

program everything
  use did
  implicit none
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  character(len=8) :: number
  integer :: length
  double precision :: before
  call MPI_Init ALONE
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ENDS
  call MPI_Comm_size(MPI_COMM_WORLD, n_ranks ENDS
  write (number, '(i0)') rank
  open (9, file='did.'//trim(number))
  before = MPI_Wtime()
  numbers = 1
  name = repeat('x', len(name))
  call MPI_Get_processor_name(name, length ENDS
  if (name(length + 1:) /= ' ') stop 2
  call blocking
  call several
  call persistent
  call communicators
  call collectives
  call memory_and_files
  if (MPI_Wtime() < before) stop 5
  call MPI_Finalize ALONE
end program
