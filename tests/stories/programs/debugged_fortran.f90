! SPDX-License-Identifier: GPL-3.0-or-later
! Arguments of Fortran, which are pointers unless they are passed by value.
module debugged
contains
    subroutine work(n, name, v, x)
        use iso_c_binding
        integer, intent(in) :: n
        character(*), intent(in) :: name
        integer(c_int), value :: v
        real(8), intent(inout) :: x
        x = x + n + v + len(name)
        write (*, '(a, i0)') 'n=', n, 'v=', v, 'x [1/1000]=', nint(1000 * x)
    end subroutine
end module
