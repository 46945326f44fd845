# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI that a program loads itself and calls by addresses which it looks up, as bindings of other languages do."""
import pytest

import streams
from counting import NAMES

OPEN_MPI, MPICH = "libmpi.so.40", "libmpich.so.12"
PROGRAM = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static const char *file_of(void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? strrchr(info.dli_fname, '/') + 1 : "none";
}
int main(int argc, char **argv)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | FLAGS);
    int (*init)(void *, void *) = dlsym(library, "MPI_Init"), (*rank)(void *, int *) = dlsym(library, "MPI_Comm_rank"), number = -1;
    int (*barrier)(void *) = dlsym(library, "MPI_Barrier"), (*end)(void) = dlsym(library, "MPI_Finalize");
    const char *error = dlerror();
    int (*quiet)(void *) = dlsym(library, "PMPI_Barrier");
    void *world = WORLD;
    init(NULL, NULL);
    rank(world, &number);
    for (int i = 0; i < 10; i++)
        barrier(world);
    for (int i = 0; i < 5; i++)
        quiet(world);
    end();
    printf("%d %s %s %s\n", number, error ? error : "no error", file_of(quiet), dlsym(library, "MPI_None") ? "" : dlerror());
    return 0;
}
"""
CTYPES = """import ctypes
library = ctypes.CDLL("libmpi.so.40")
world, rank = ctypes.c_void_p.in_dll(library, "ompi_mpi_comm_world"), ctypes.c_int()
library.MPI_Init(None, None)
library.MPI_Comm_rank(ctypes.byref(world), ctypes.byref(rank))
for i in range(10):
    library.MPI_Barrier(ctypes.byref(world))
library.MPI_Finalize()
print(rank.value)
"""
CALLS = {"MPI_Init": 1, "MPI_Comm_rank": 1, "MPI_Barrier": 10, "MPI_Finalize": 1}
WORLDS = {OPEN_MPI: 'dlsym(library, "ompi_mpi_comm_world")', MPICH: "(void *)0x44000000"}
LAUNCHERS = {OPEN_MPI: ["mpirun.openmpi", "--oversubscribe"], MPICH: ["mpirun.mpich"]}
LIBTANDEM = {OPEN_MPI: "libtandem.so", MPICH: "libtandem-mpich.so"}


@pytest.fixture
def record_preloaded(run, build_dir, tmp_path):
    """record_preloaded(mpi, program...) -> (result of two ranks, {rank: records})"""

    def record_ranks(mpi, *program, front="", check=True):
        preload = f"{front}:{build_dir / LIBTANDEM[mpi]}" if front else build_dir / LIBTANDEM[mpi]
        env = {"TANDEM_OUTPUT": tmp_path / "out", "TANDEM_MERGE": "0"}
        result = run(*LAUNCHERS[mpi], "-n", "2", "env", f"LD_PRELOAD={preload}", *program, env=env, check=check)
        (directory,) = tmp_path.glob("out*.tandem")
        return result, streams.read_run(directory)

    return record_ranks


def counted(ranks):
    return [streams.count_calls(records, NAMES) for records in ranks.values()]


@pytest.mark.parametrize("flags", ["RTLD_LOCAL", "RTLD_LOCAL | RTLD_DEEPBIND", "RTLD_GLOBAL"])
@pytest.mark.parametrize("mpi", [OPEN_MPI, MPICH])
def test_looked_up_calls(run, record_preloaded, compile_program, mpi, flags):
    """They are recorded; those of the profiling interface stay the library's."""
    text = PROGRAM.replace("FLAGS", flags).replace("LIBRARY", f'"{mpi}"').replace("WORLD", WORLDS[mpi])
    program = compile_program(text, flags=["-w"])
    plain = run(*LAUNCHERS[mpi], "-n", "2", program, check=True)
    result, ranks = record_preloaded(mpi, program)
    assert sorted(result.stdout.splitlines()) == sorted(plain.stdout.splitlines()) and result.stderr == plain.stderr
    assert result.stdout.count("no error lib") == 2 and counted(ranks) == [CALLS, CALLS]


def test_ctypes(record_preloaded):
    result, ranks = record_preloaded(OPEN_MPI, "/usr/bin/python3", "-c", CTYPES)
    assert sorted("".join(result.stdout.split())) == ["0", "1"] and counted(ranks) == [CALLS, CALLS]


@pytest.mark.parametrize("first, second", [(OPEN_MPI, MPICH), (MPICH, OPEN_MPI)])
@pytest.mark.parametrize("preloaded", LIBTANDEM.values())
def test_two_libraries(run, build_dir, compile_program, first, second, preloaded):
    """A call goes to the library in which it was looked up."""
    program = compile_program(r"""
    #include <dlfcn.h>
    #include <stdio.h>
    int main(int argc, char **argv)
    {
        char text[9000];
        for (int i = 0; i < 4; i++) {
            void *library = dlopen(argv[1 + i % 2], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
            int length = 0, (*version)(char *, int *) = dlsym(library, "MPI_Get_library_version");
            version(text, &length);
            printf("%.9s\n", text);
        }
        return 0;
    }
    """, flags=["-w"])
    plain = run(program, first, second, check=True)
    result = run(program, first, second, preload=build_dir / preloaded, env={"TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, result.stderr) == (0, plain.stdout, plain.stderr)
    assert len(set(plain.stdout.split("\n")[:4])) == 2


TOOL = r"""
#include <dlfcn.h>
#include <stdio.h>
static int n;
int MPI_Barrier(void *comm)
{
    n++;
    return ((int (*)(void *))dlsym(BEHIND, "MPI_Barrier"))(comm);
}
__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "tool: %d\n", n);
}
"""
CALLER = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize("behind", ["RTLD_NEXT", f'dlopen("{OPEN_MPI}", RTLD_LAZY)'])
@pytest.mark.parametrize("where", ["linked", "in front"])
def test_tool_that_looks_the_next_one_up(record_preloaded, compile_program, behind, where):
    """It gets MPI's function where it stands behind us."""
    tool = compile_program(TOOL.replace("BEHIND", behind), flags=["-shared", "-fPIC", "-w"], name="libtool.so")
    linked = {"libraries": [str(tool)], "flags": [f"-Wl,-rpath,{tool.parent}"]} if where == "linked" else {}
    program = compile_program(CALLER, mpi=True, **linked)
    result, ranks = record_preloaded(OPEN_MPI, program, front=tool if where == "in front" else "")
    assert [line for line in result.stderr.splitlines() if line.startswith("tool: ")].count("tool: 10") == 2
    assert counted(ranks) == [CALLS, CALLS]


def test_other_lookups_are_libcs(run, compile_program, libtandem):
    """A file's own function, the next one, and none: as the caller's file finds them."""
    library = compile_program(r"""
    #include <dlfcn.h>
    int read(int x) { return 77; }
    int next_read(void) { return ((int (*)(int))dlsym(RTLD_NEXT, "read"))(-1); }
    int own(void) { return ((int (*)(int))dlsym(RTLD_DEFAULT, "hidden_from_all"))(5); }
    int hidden_from_all(int x) { return x + 1; }
    """, flags=["-shared", "-fPIC", "-w"], name="libnext.so")
    program = compile_program(r"""
    #include <dlfcn.h>
    #include <stdio.h>
    int main(int argc, char **argv)
    {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        int (*next)(void) = dlsym(library, "next_read"), (*own)(void) = dlsym(library, "own");
        int is_none = dlsym(RTLD_DEFAULT, "hidden_from_all") == NULL;
        const char *said = dlerror();
        printf("%d %d %d %d\n", next(), own(), is_none, said != NULL);
        printf("%d\n", dlsym(library, "mpi_none") == NULL);
        puts(dlerror());
        return 0;
    }
    """, flags=["-w"])
    plain = run(program, library, check=True)
    result = run(program, library, preload=libtandem, env={"TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, result.stderr) == (0, plain.stdout, "") and plain.stdout.startswith("-1 6 1 1\n1\n")
