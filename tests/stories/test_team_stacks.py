# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of all threads of an OpenMP region stands below the function that opened the region."""
import re

import pytest

REGIONS = """
#include <time.h>
static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}
/* Uses so much CPU time in the calling thread. */
static void __attribute__((noinline)) work(double seconds)
{
    volatile double x = 1;
    for (double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds; now(CLOCK_THREAD_CPUTIME_ID) < end;)
        for (int i = 0; i < 20000; i++)
            x = x * 1.0000001;
}
static void __attribute__((noinline)) left(void)
{
#pragma omp parallel num_threads(3)
    {
        work(0.3);
        __asm__ volatile("");
    }
    __asm__ volatile("");
}
static void __attribute__((noinline)) right(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            work(0.1);
            __asm__ volatile("");
        }
        __asm__ volatile("");
    }
    __asm__ volatile("");
}
static void __attribute__((noinline)) both(int n)
{
    left();
    if (n)
        right();
    __asm__ volatile("");
}
int main(void)
{
    both(1);
    both(0);
}
"""


def paths_of(text):
    """{path of names: total in percent}, of the report's tree."""
    path, found = [], {}
    for line in text.split("Who calls whom")[1].splitlines()[2:]:
        total, indent, name = re.match(r" +([\d.]+) % +[\d.]+ %  ((?:  )*)(\S.*)$", line).groups()
        path = [*path[: len(indent) // 2], name]
        found[tuple(path)] = float(total)
    return found


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_who_opened_the_region(run, tandem, compile_program, compiler):
    program = compile_program(REGIONS, compiler=compiler, flags=("-fopenmp", "-O1", "-g"), name="regions")
    run(tandem, "record", "--sampling-period=1ms", "-o", "teams.prv", "--", program, check=True, env={"OMP_MAX_ACTIVE_LEVELS": "2", "OMP_WAIT_POLICY": "passive"})
    paths = paths_of(run(tandem, "report", "--least", 0, "teams.prv", check=True).stdout)

    def share(*names):
        """Of stacks that have these functions, from the outermost inwards, with others between them."""
        return sum(
            total for path, total in paths.items()
            if path[-1].startswith(names[-1]) and not any(name.startswith(names[-1]) for name in path[:-1])
            and re.search(".*".join(f"\n{re.escape(name)}" for name in names), "\n" + "\n".join(path), re.DOTALL)
        )

    left, right = (share("main", "both", name, "work") for name in ("left", "right"))
    assert left + right > 90  # the rest is the library's, which may wait at work
    assert left / (left + right) == pytest.approx(2 * 3 * 0.3 / (2 * 3 * 0.3 + 4 * 0.1), abs=0.04)
    nested = [path for path in paths if path[-1] == "work" and "right" in path]
    assert all(sum("omp" in name for name in path) >= 2 for path in nested), nested
