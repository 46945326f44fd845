# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of the program are frames of the stacks that were sampled in them, where the trace tells who began them."""
import re

import pytest

REGIONS = """
#include "runtime/tandem.h"
#include <time.h>
#define NOINLINE __attribute__((noinline, noclone))
static volatile double sink;
static double used()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}
#define SPEND(seconds)                                           \\
    for (double until = used() + seconds; used() < until;)       \\
        for (int i = 0; i < 20000; i++)                          \\
            sink = sink * 1.0000001
extern "C" {
static void NOINLINE work(double seconds)
{
    SPEND(seconds);
    __asm__ volatile("");
}
static void NOINLINE begin(const char *name)
{
    tandem_region_begin(tandem_region_register(name));
    __asm__ volatile("");
}
static void NOINLINE end(const char *name)
{
    tandem_region_end(tandem_region_register(name));
    __asm__ volatile("");
}
}
struct Scope {
    const char *name;
    NOINLINE Scope(const char *name) : name(name)
    {
        begin(name);
        __asm__ volatile("");
    }
    NOINLINE ~Scope()
    {
        end(name);
        __asm__ volatile("");
    }
};
extern "C" {
/* Begun by functions that have returned. */
static void NOINLINE solve()
{
    Scope outer("assemble");
    work(0.1);
    {
        Scope inner("factorise");
        work(0.2);
    }
    work(0.1);
}
/* The region's own code is sampled. */
static void NOINLINE own()
{
    begin("loop");
    SPEND(0.1);
    end("loop");
    __asm__ volatile("");
}
static void NOINLINE recurse(int n)
{
    if (n == 2)
        begin("deep");
    if (n > 0)
        recurse(n - 1);
    else
        work(0.2);
    if (n == 2)
        end("deep");
    __asm__ volatile("");
}
int main()
{
    solve();
    own();
    recurse(4);
    work(0.3);
    return 0;
}
}
"""
SECONDS = {
    ("main", "solve", "assemble (region)", "work"): 0.2,
    ("main", "solve", "assemble (region)", "factorise (region)", "work"): 0.2,
    ("main", "own", "loop (region)", "own"): 0.1,
    ("main", "recurse", "recurse", "recurse", "deep (region)", "recurse", "recurse", "work"): 0.2,
    ("main", "work"): 0.3,
}


@pytest.fixture
def record(run, tandem, build_dir, compile_program, tmp_path):
    api = build_dir / "runtime"
    program = compile_program(REGIONS, compiler="g++", flags=("-fno-optimize-sibling-calls",), name="regions",
                              libraries=(f"-L{api}", "-ltandem-api", f"-Wl,-rpath,{api}"))

    def record_program(*options):
        run(tandem, "record", "--sampling-period=1ms", *options, "-f", "-o", "app.prv", "--", program, check=True)
        return tmp_path / "app.prv"

    return record_program


def shares_of(run, tandem, prv):
    """{path of names: part of the samples}, without the functions of the clock."""
    run(tandem, "convert", "--to", "collapsed", "-f", "-o", "stacks.txt", prv, check=True)
    counts = {}
    for line in prv.with_name("stacks.txt").read_text().splitlines():
        stack, _, n = line.rpartition(" ")
        names = stack.split(";")
        if "main" not in names:  # the dynamic linker's, before it
            continue
        names = [re.sub(r"\((?!region).*", "", name) for name in names[names.index("main"):]]
        names = [name for name in names if not re.search("clock|used|vdso", name)]
        counts[tuple(names)] = counts.get(tuple(names), 0) + int(n)
    return {path: n / sum(counts.values()) for path, n in counts.items()}


@pytest.mark.parametrize("levels", [3, 20])
def test_regions_are_frames(levels, record, run, tandem):
    shares = shares_of(run, tandem, record("--callers", levels))
    if levels == 3:  # of the recursion, more callers would be needed to tell which of its calls it was
        shares = {tuple(name for i, name in enumerate(path) if name != "recurse" or "recurse" not in path[:i]): share
                  for path, share in shares.items()}
    wanted = {tuple(name for i, name in enumerate(path) if levels > 3 or name != "recurse" or "recurse" not in path[:i]): seconds
              for path, seconds in SECONDS.items()}
    assert sum(shares.get(path, 0) for path in wanted) > 0.97, shares
    for path, seconds in wanted.items():
        assert shares[path] == pytest.approx(seconds / sum(wanted.values()), abs=0.05), (path, shares)


def test_without_callers(record, run, tandem):
    """Regions have no frames then."""
    shares = shares_of(run, tandem, record())
    assert shares[("main", "solve", "work")] == pytest.approx(0.4, abs=0.05)
    assert not [path for path in shares if "region" in "".join(path)]
