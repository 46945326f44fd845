! SPDX-License-Identifier: GPL-3.0-or-later
!
! OpenMP in Fortran, of known answer, on as many threads as the first argument says: prints what openmp_counts.c prints
! (regions, threads in them, chunks of dynamic loops and their iterations, tasks, shares of taskloops, edges between
! tasks), then how many unnamed and named critical sections, ordered blocks, threads at sections and at
! singles there were, and in the end a sum that says whether all was computed.
module counted
    use omp_lib
    use iso_fortran_env, only: int64
    implicit none
    integer(int64) :: n_regions = 0, n_parts = 0, n_chunks = 0, n_iterations = 0, n_tasks = 0, n_shares = 0, n_edges = 0
    integer(int64) :: n_unnamed = 0, n_named = 0, n_ordered = 0, n_sections = 0, n_singles = 0
    integer(int64) :: total = 0
    integer, parameter :: n = 37, chain = 9, fan = 7

contains

    subroutine add(number, amount)
        integer(int64), intent(inout) :: number
        integer, intent(in) :: amount
        !$omp atomic
        number = number + amount
    end subroutine

    ! By one thread of a team: a dynamic loop follows.
    subroutine promise(iterations, size)
        integer, intent(in) :: iterations, size
        call add(n_singles, 1)
        !$omp single
        n_chunks = n_chunks + (iterations + size - 1) / size
        n_iterations = n_iterations + iterations
        !$omp end single
    end subroutine

    subroutine loops()
        integer :: i, j
        integer(int64) :: k
        call add(n_regions, 1)
        !$omp parallel private(i, j, k)
        call add(n_parts, 1)
        call promise(n, 4)
        !$omp do schedule(dynamic, 4)
        do i = 1, n
            call add(total, 1)
        end do
        call promise(n, 1)
        !$omp do schedule(monotonic: dynamic)
        do i = n, 1, -1
            call add(total, 1)
        end do
        call promise(n, 3)
        !$omp do schedule(nonmonotonic: dynamic, 3)
        do k = 1_int64, 2_int64 * n, 2_int64
            call add(total, 1)
        end do
        !$omp end do nowait
        call promise(4 * n, 6)
        !$omp do schedule(dynamic, 6) collapse(2)
        do i = 1, n
            do j = 1, 4
                call add(total, 1)
            end do
        end do
        call promise(n, 5)
        !$omp do schedule(dynamic, 5) ordered
        do i = 1, n
            !$omp ordered
            n_ordered = n_ordered + 1
            total = total + i
            !$omp end ordered
        end do
        ! Nobody knows beforehand how these are cut.
        !$omp do schedule(guided)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp do schedule(guided, 2)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp do schedule(static)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp do schedule(static, 2)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp do schedule(runtime)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp do schedule(auto)
        do i = 1, n
            call add(total, 1)
        end do
        !$omp end parallel
        n_regions = n_regions + 1
        n_chunks = n_chunks + (n + 9) / 10
        n_iterations = n_iterations + n
        !$omp parallel do schedule(dynamic, 10)
        do i = 1, n
            if (i == 1) call add(n_parts, omp_get_num_threads())
            call add(total, 1)
        end do
        !$omp end parallel do
    end subroutine

    subroutine constructs()
        integer :: part
        integer :: a(100), b(100)
        a = 1
        call add(n_regions, 1)
        !$omp parallel private(part)
        call add(n_parts, 1)
        !$omp critical
        n_unnamed = n_unnamed + 1
        !$omp end critical
        do part = 1, 2
            !$omp critical (gate)
            n_named = n_named + 1
            !$omp end critical (gate)
        end do
        call add(n_sections, 1)
        !$omp sections
        !$omp section
        call add(total, 10)
        !$omp section
        call add(total, 20)
        !$omp section
        call add(total, 30)
        !$omp end sections
        call add(n_singles, 1) ! GNU's compiler makes that of what is no plain assignment; those are static loops
        !$omp workshare
        b = 2 * a
        where (b > 1) a = a + b
        !$omp end workshare
        call add(n_singles, 1)
        !$omp single
        total = total + sum(a)
        !$omp end single
        !$omp end parallel
        n_regions = n_regions + 2
        !$omp parallel sections
        call add(n_parts, omp_get_num_threads())
        call add(n_sections, omp_get_num_threads())
        !$omp section
        call add(total, 1)
        !$omp end parallel sections
        !$omp parallel workshare
        b = a
        !$omp end parallel workshare
        total = total + sum(b)
    end subroutine

    subroutine tasks()
        integer :: i, link, all, sum_of
        integer :: cells(4)
        call add(n_regions, 1)
        !$omp parallel
        call add(n_parts, 1)
        call add(n_singles, 1)
        !$omp single
        link = 0
        do i = 1, chain
            !$omp task depend(inout: link) firstprivate(i) shared(link)
            call add(n_tasks, 1)
            link = link * 2 + i
            !$omp end task
        end do
        n_edges = n_edges + chain - 1
        !$omp task depend(out: all)
        call add(n_tasks, 1)
        !$omp end task
        do i = 1, fan
            !$omp task depend(in: all)
            call add(n_tasks, 1)
            !$omp end task
        end do
        !$omp task depend(inout: all)
        call add(n_tasks, 1)
        !$omp end task
        do i = 1, fan
            !$omp task depend(mutexinoutset: all)
            call add(n_tasks, 1)
            !$omp end task
        end do
        !$omp task depend(in: all)
        call add(n_tasks, 1)
        !$omp end task
        n_edges = n_edges + 4 * fan
        do i = 1, 4
            !$omp task depend(out: cells(i)) firstprivate(i) shared(cells)
            call add(n_tasks, 1)
            cells(i) = i
            !$omp end task
        end do
        !$omp task depend(in: cells(1), cells(2), cells(3), cells(4)) if(.false.)
        call add(n_tasks, 1)
        call add(total, sum(cells))
        !$omp end task
        n_edges = n_edges + 4
        !$omp taskwait
        total = total + link
        !$omp taskgroup
        !$omp task
        call add(n_tasks, 1)
        !$omp task final(.true.)
        call add(n_tasks, 1)
        !$omp end task
        !$omp end task
        !$omp end taskgroup
        !$omp taskloop grainsize(5)
        do i = 1, 20
            call add(total, i)
        end do
        sum_of = 0
        !$omp taskloop num_tasks(6) reduction(+: sum_of)
        do i = 1, 20
            sum_of = sum_of + i
        end do
        total = total + sum_of
        n_shares = n_shares + 4 + 6
        !$omp end single
        !$omp end parallel
    end subroutine

    recursive subroutine nested(depth)
        integer, intent(in) :: depth
        call add(n_regions, 1)
        !$omp parallel num_threads(2) if(depth < 3)
        call add(n_parts, 1)
        if (depth < 3) call nested(depth + 1)
        !$omp end parallel
    end subroutine
end module

program openmp_fortran
    use counted
    implicit none
    character(8) :: argument
    integer :: n_threads
    call get_command_argument(1, argument)
    read (argument, *) n_threads
    call omp_set_num_threads(n_threads)
    call omp_set_max_active_levels(2)
    call loops()
    call constructs()
    n_parts = n_parts + n_threads ! of the region that is a workshare
    call tasks()
    call nested(1)
    n_regions = n_regions + 1
    !$omp parallel
    call add(n_parts, 1)
    !$omp end parallel
    print '(*(i0, 1x))', n_regions, n_parts, n_chunks, n_iterations, n_tasks, n_shares, n_edges
    print '(*(i0, 1x))', n_unnamed, n_named, n_ordered, n_sections, n_singles
    print '(i0)', total
end program
