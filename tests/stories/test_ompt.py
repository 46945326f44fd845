# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenMP by LLVM's library, which tells of itself: a program of known answer compiled for it, and the same program
compiled for GNU's and run with LLVM's in its place."""
import collections
import pathlib
import subprocess

import pytest
import streams

THREADS, CHAIN, N = 3, 12, 60
ANSWER = 2 * N + THREADS + 1 + 30 + 1 + CHAIN * (CHAIN - 1) // 2 + 2 + 2 + N + 4
CODE, TASK = 23, 64
CREATE, DEPEND, BEGIN, SUSPEND, RESUME, END, FULFIL = range(7)
INCLUDED, UNTIED, DETACHED, SHARE, WAIT = 1, 4, 8, 16, 32
PARALLEL, WORK, BARRIER, NAMED, UNNAMED, JOIN = 60000001, 60000002, 60000005, 60000006, 60000007, 60000016
FUNCTION, TASKWAIT, TASKGROUP, TASKLOOP = 60000018, 60000022, 60000027, 60000029
CHUNK, SCHEDULE = 92000022, 92000020
DEPENDENCE_TAG = "60000001"


@pytest.fixture(scope="module")
def libomp():
    """Of the clang that compiles here."""
    return pathlib.Path(subprocess.run(["clang", "-print-file-name=libomp.so.5"], capture_output=True, text=True).stdout.strip())


class Run:
    """One recording, without samples, which may meet any function: what the program said, its records in order and by kind."""

    def __init__(self, run, tandem, tmp_path, program, name, **env):
        out = run(tandem, "record", "--sampling-period=0", "--keep", "-o", f"{name}.prv", "--", program, THREADS, check=True, env=env)
        run(tandem, "check", f"{name}.prv", check=True)
        self.answer = int(out.stdout)
        rings = streams.rings(tmp_path / f"{name}.tandem")
        self.threads = [list(streams.read_stream(ring)) for ring in rings]
        self.records = [record for thread in self.threads for record in thread]
        self.entered = collections.Counter((r.id, r.aux) for r in self.records if r.kind == streams.ENTER)
        self.code = collections.Counter(r.id for r in self.records if r.kind == CODE)
        self.phases = collections.Counter(r.aux for r in self.records if r.kind == TASK)
        self.flags = collections.Counter(r.words[1] >> 32 for r in self.records if r.kind == TASK and r.aux == CREATE)
        self.lines = [line for line in (tmp_path / f"{name}.prv").read_text().splitlines() if line.startswith("3:")]
        self.labels = (tmp_path / f"{name}.pcf").read_text()

    def values(self, type_):
        return [r.words[0] if r.words else r.aux for r in self.records if r.kind == streams.EVENT and r.id == type_]


def check_balance(thread):
    """Every enter has its leave, and tasks begin once, end once, and go on where they stopped."""
    open_, waits = collections.Counter(), set()
    for record in thread:
        if record.kind == TASK and record.aux == CREATE and record.words[1] >> 32 & WAIT:
            waits.add(record.id)
        if record.kind == TASK and record.id in waits:
            continue
        if record.kind in (streams.ENTER, CODE) or (record.kind == TASK and record.aux in (CREATE, BEGIN, RESUME)):
            open_[{CREATE: "made", BEGIN: "task", RESUME: "task"}[record.aux] if record.kind == TASK else record.id] += 1
        elif record.kind == streams.LEAVE:
            open_["made" if record.id == 60000024 else record.id] -= 1
        elif record.kind == TASK and record.aux in (SUSPEND, END):
            open_["task"] -= 1
        assert min(open_.values(), default=0) >= 0, record
    assert open_.pop(92000023, 0) <= 1  # a worker waits until the process ends
    assert not any(open_.values()), open_


def check_tasks(found):
    assert found.phases[CREATE] == CHAIN + 2 + 2 + 3
    assert found.phases[BEGIN] == found.phases[END] == found.phases[CREATE]
    assert found.phases[SUSPEND] == found.phases[RESUME]
    assert found.phases[DEPEND] == CHAIN + 2
    assert sum(line.split(":")[-1] == DEPENDENCE_TAG for line in found.lines) == CHAIN - 1 + 1


def test_clang(run, tandem, compile_program, tmp_path):
    program = compile_program("openmp_known", compiler="clang", flags=("-fopenmp",))
    found = Run(run, tandem, tmp_path, program, "clang")
    assert found.answer == ANSWER
    for thread in found.threads:
        check_balance(thread)
    assert found.entered[PARALLEL, 3] == 2 + 1 + 2
    assert found.code[FUNCTION] == 2 * THREADS + 2 + 4
    assert (found.entered[WORK, 4], found.entered[WORK, 5], found.entered[WORK, 6]) == (2 * THREADS, THREADS, 2 * THREADS)
    # The single's barriers, and the explicit one; a join is the wait at the end of a loop or of sections.
    assert found.entered[BARRIER, 1] == 3 * THREADS and found.entered[JOIN, 1] == 2 * THREADS
    assert (found.entered[UNNAMED, 3], found.entered[UNNAMED, 5]) == (THREADS, THREADS)
    assert (found.entered[NAMED, 3], found.entered[NAMED, 5]) == (2, 1)
    assert sorted(found.values(SCHEDULE)) == [2] * THREADS + [3] * THREADS
    chunks = found.values(CHUNK)
    assert sum(chunks) == 2 * N + 2 and chunks.count(5) >= N // 5
    assert found.entered[TASKLOOP, 1] == 1 and found.entered[TASKGROUP, 1] == 2
    check_tasks(found)
    assert found.phases[FULFIL] == 1
    assert (found.flags[DETACHED], found.flags[UNTIED], found.flags[SHARE]) == (1, 1, 3)
    assert sum(n for flags, n in found.flags.items() if flags & INCLUDED) == 1
    for construct in ("#pragma omp parallel\n    {", "#pragma omp task untied", "#pragma omp taskloop"):
        text = (pathlib.Path(__file__).parent / "programs" / "openmp_known.c").read_text()
        line = text[: text.index(construct)].count("\n") + 1
        assert f"openmp_known.c:{line}\n" in found.labels


def test_gnu_program_with_llvm(run, tandem, compile_program, libomp, tmp_path):
    """Recorded once, by what the library tells, with the places of the program's own calls."""
    program = compile_program("openmp_known", flags=("-fopenmp", "-DFULFIL=0"))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libgomp.so.1").symlink_to(libomp)
    found = Run(run, tandem, tmp_path, program, "gnu", LD_LIBRARY_PATH=tmp_path / "lib")
    assert found.answer == ANSWER
    for thread in found.threads:
        check_balance(thread)
    assert found.entered[PARALLEL, 3] == 2 + 1 + 2 and found.code[FUNCTION] == 2 * THREADS + 2 + 4
    assert found.entered[UNNAMED, 3] == THREADS and found.entered[NAMED, 3] == 2
    check_tasks(found)
    assert "GOMP_" not in found.labels and "libomp.so" not in found.labels.split("Executed OpenMP task function")[1]


def test_gnu_program_where_llvm_tells_nothing(run, tandem, compile_program, libomp, tmp_path):
    """Recorded by its calls, as with GNU's library."""
    program = compile_program("openmp_known", flags=("-fopenmp", "-DFULFIL=0"))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libgomp.so.1").symlink_to(libomp)
    found = Run(run, tandem, tmp_path, program, "untold", LD_LIBRARY_PATH=tmp_path / "lib", OMP_TOOL="disabled")
    known = Run(run, tandem, tmp_path, program, "gnu")
    assert found.answer == known.answer == ANSWER
    for construct in (PARALLEL, 3), (UNNAMED, 3), (NAMED, 3), (TASKWAIT, 1), (TASKGROUP, 1), (TASKLOOP, 1):
        assert found.entered[construct] == known.entered[construct], construct
    assert found.entered[PARALLEL, 3] > 2 and found.phases[CREATE] == known.phases[CREATE] > 2


ONE_THREAD = """
void __kmpc_fork_call(void) {}
int omp_get_thread_num(void) { return 0; }
void GOMP_parallel(void (*fn)(void *), void *data, unsigned n_threads, unsigned flags) { fn(data); }
"""


def test_a_library_with_names_of_both(run, tandem, compile_program, tmp_path):
    """It is no library of LLVM's that tells of itself."""
    library = compile_program(ONE_THREAD, flags=["-shared", "-fPIC"], name="libone.so")
    program = compile_program("""#include <stdio.h>
    int main(void)
    {
        int n = 0;
        for (int i = 0; i < 7; i++)
    #pragma omp parallel
            n++;
        printf("%d\\n", n);
    }
    """, flags=["-fopenmp"], libraries=[str(library), f"-Wl,-rpath,{library.parent}"])
    found = Run(run, tandem, tmp_path, program, "one")
    assert found.answer == found.entered[PARALLEL, 3] == 7


NESTED_WAITS = """
#include <stdio.h>
static int sum;
static void wait_for(int depth)
{
    int cell = 0;
#pragma omp task shared(cell) depend(out : cell)
    {
        if (depth)
            wait_for(depth - 1);
        cell = 1;
    }
#pragma omp task shared(cell) depend(in : cell) if (0)
    __atomic_fetch_add(&sum, cell, __ATOMIC_RELAXED);
#pragma omp taskwait depend(in : cell)
}
int main(void)
{
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 25; i++)
#pragma omp task
        wait_for(9);
    printf("%d\\n", sum);
}
"""


def test_waits_within_waits(run, tandem, compile_program, tmp_path):
    """Of tasks for what they depend on, in a worker at the end of a region: LLVM 14 aborts where a tool's data is with its
    implicit tasks or with a wait that is under way."""
    program = compile_program(NESTED_WAITS, compiler="clang", flags=("-fopenmp",), name="waits")
    out = run(tandem, "record", "--keep", "-o", "waits.prv", "--", program, check=True)
    assert out.stdout == f"{4 * 25 * 10}\n"
    rings = streams.rings(tmp_path / "waits.tandem")
    threads = [list(streams.read_stream(ring)) for ring in rings]
    for thread in threads:
        check_balance(thread)
    waits = [r for thread in threads for r in thread if r.kind == TASK and r.aux == CREATE and r.words[1] >> 32 & WAIT]
    assert len(waits) > 4 * 25 * 10


REGIONS_IN_TASKS = """
#include <stdio.h>
static int sum;
#define ADD(n) __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED)
static void region(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        ADD(1);
#pragma omp task
        ADD(1);
    }
}
int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 9; i++) {
#pragma omp cancel for
        }
#pragma omp single
#pragma omp taskloop num_tasks(4)
        for (int i = 0; i < 4; i++)
            region();
#pragma omp for
        for (int i = 0; i < 30; i++)
#pragma omp task
            region();
        for (int i = 0; i < 30; i++)
#pragma omp task
            region();
    }
#pragma omp parallel num_threads(3)
    ADD(1);
    printf("%d\\n", sum);
}
"""


def test_regions_in_tasks(run, tandem, compile_program, tmp_path):
    """What a thread does while it waits in a barrier leaves the barrier what it is; a cancelled loop ends."""
    program = compile_program(REGIONS_IN_TASKS, compiler="clang", flags=("-fopenmp",), name="regions")
    env = {"OMP_CANCELLATION": "true", "OMP_MAX_ACTIVE_LEVELS": "2"}
    out = run(tandem, "record", "--keep", "-o", "regions.prv", "--", program, env=env, check=True)
    n_regions = 4 + 30 + 3 * 30
    assert out.stdout == f"{3 * n_regions + 3}\n"
    threads = [list(streams.read_stream(ring)) for ring in streams.rings(tmp_path / "regions.tandem")]
    for thread in threads:
        check_balance(thread)
    tasks = [r for thread in threads for r in thread if r.kind == TASK]
    shares = {r.id for r in tasks if r.aux == CREATE and r.words[1] >> 32 & SHARE}
    begun = {r.id for r in tasks if r.aux == BEGIN}
    assert (len(shares), len(begun - shares)) == (4, 30 + 3 * 30 + 2 * n_regions)


OWN_TOOL = """
#include <stdio.h>
static int begin(void *lookup, int device, void *data) { puts("own tool"); return 1; }
static void end(void *data) {}
static struct { void *begin, *end; long data; } tool = {begin, end};
void *ompt_start_tool(unsigned version, const char *library) { return &tool; }
"""
MAIN = """
int main(void) {
#pragma omp parallel
    ;
}
"""


def test_the_programs_tool_is_left_to_it(run, tandem, compile_program, tmp_path):
    """In the program, or named by the variable of OpenMP's."""
    plain = compile_program(MAIN, compiler="clang", flags=("-fopenmp",), name="plain")
    own = compile_program(OWN_TOOL + MAIN, compiler="clang", flags=("-fopenmp",), name="own")
    named = compile_program(OWN_TOOL, flags=("-shared", "-fPIC"), name="tool")
    assert run(tandem, "record", "--", own, check=True).stdout == "own tool\n"
    out = run(tandem, "record", "--keep", "-o", "plain.prv", "--", plain, check=True, env={"OMP_TOOL_LIBRARIES": named})
    assert out.stdout == "own tool\n"
    assert "a tool of its own" in run(tandem, "dump", "plain.tandem", check=True).stdout
