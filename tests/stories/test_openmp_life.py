# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenMP where programs make it hard: in libraries that come and go, around fork, as old compilers called it, in great
numbers.  Output is what it is without tandem."""
import collections

import pytest

import streams

PARALLEL, FUNCTION, CODE, TASK, CREATE, BEGIN = 60000001, 60000018, 23, 64, 0, 2
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "4"}

PLUGIN = """
#include <stdio.h>
int sum(int n) {
    int total = 0;
    #pragma omp parallel for schedule(dynamic) reduction(+:total)
    for (int i = 0; i < n; i++) total += i;
    return total;
}
__attribute__((destructor)) static void gone(void) { puts("gone"); }
"""
HOST = """
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        printf("%d\\n", ((int (*)(int))dlsym(plugin, "sum"))(100));
        dlclose(plugin);
        puts("closed");
    }
}
"""
FORKS = """
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int sum(void) {
    int total = 0;
    #pragma omp parallel reduction(+:total)
    total += omp_get_thread_num() + 1;
    return total;
}
int main(void) {
    if (fork() == 0) { printf("first %d\\n", sum()); fflush(stdout); _exit(0); }
    wait(NULL);
    printf("parent %d\\n", sum());
    fflush(stdout);
    if (fork() == 0) { omp_set_num_threads(1); printf("second %d\\n", sum()); fflush(stdout); _exit(0); }
    wait(NULL);
    printf("parent %d\\n", sum());
}
"""
OLD = """
#include <stdio.h>
#include <stdbool.h>
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long, long, long);
bool GOMP_loop_dynamic_next(long *, long *);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_end(void);
static void region(void *n) { __atomic_fetch_add((int *)n, 1, 0); }
static void inner(void *n) { GOMP_parallel_start(region, n, 2); region(n); GOMP_parallel_end(); }
static void loop(void *n) {
    long from, to;
    while (GOMP_loop_dynamic_next(&from, &to)) __atomic_fetch_add((int *)n, (int)(to - from), 0);
    GOMP_loop_end_nowait();
}
int main(void) {
    int n = 0;
    GOMP_parallel_start(region, &n, 3); region(&n); GOMP_parallel_end();
    GOMP_parallel_start(inner, &n, 2); inner(&n); GOMP_parallel_end();
    GOMP_parallel_loop_dynamic_start(loop, &n, 4, 0, 100, 1, 7); loop(&n); GOMP_parallel_end();
    printf("%d\\n", n);
}
"""
MANY = """
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
static long n;
static void *body(void *unused) {
    #pragma omp parallel num_threads(2)
    __atomic_fetch_add(&n, 1, 0);
    return unused;
}
int main(void) {
    #pragma omp parallel
    #pragma omp single
    for (int i = 0; i < 50000; i++)
        #pragma omp task firstprivate(i) depend(inout: n)
        __atomic_fetch_add(&n, 1, 0);
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, body, NULL);
        pthread_join(thread, NULL);
    }
    printf("%ld\\n", n);
}
"""


@pytest.fixture
def both(run, tandem, tmp_path):
    """both(command...) -> records of the run with tandem, which said what the one without says.  The latter has preload loaded."""

    def run_both(*command, preload=None, **env):
        env = {**ENVIRONMENT, "OMP_MAX_ACTIVE_LEVELS": "2", **env}
        plain = run(*command, env=env, preload=preload)
        assert plain.returncode == 0, plain.stderr
        traced = run(tandem, "record", "--keep", "-o", "out.prv", "--", *command, env=env, check=True)
        assert traced.stdout == plain.stdout
        assert [line for line in traced.stderr.splitlines() if not line.startswith("tandem:")] == plain.stderr.splitlines()
        run(tandem, "check", "out.prv", check=True)
        return [r for ring in streams.rings(tmp_path / "out.tandem") for r in streams.read_stream(ring)]

    return run_both


def count(records):
    seen = collections.Counter((r.kind, r.aux) for r in records if r.kind == TASK)
    seen["regions"] = sum(r.kind == streams.ENTER and r.id == PARALLEL for r in records)
    seen["parts"] = sum(r.kind == CODE and r.id == FUNCTION for r in records)
    seen["threads"] = sum(r.kind == streams.THREAD for r in records)
    return seen


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_plugin(both, compile_program, compiler):
    flags = ["-fopenmp", "-shared", "-fPIC"]
    plugin = compile_program(PLUGIN, flags=flags, name=f"plugin-{compiler}.so", compiler=compiler)
    host = compile_program(HOST, libraries=["-ldl"], name="host")
    # Without tandem the host may die: libgomp goes with the plugin while its threads still run (14 of 200 runs of an idle machine, 37
    # of a busy one, 0 of 400 with libgomp kept).
    kept = "libgomp.so.1" if compiler == "gcc" else None
    seen = count(both(host, plugin, preload=kept))
    assert (seen["regions"], seen["parts"]) == (3, 12)


def test_fork(both, compile_program):
    seen = count(both(compile_program(FORKS, flags=["-fopenmp"], name="forks")))
    assert (seen["regions"], seen["parts"]) == (4, 13)


def test_old_calls(both, compile_program):
    seen = count(both(compile_program(OLD, libraries=["-l:libgomp.so.1"], name="old")))
    assert (seen["regions"], seen["parts"]) == (5, 3 + 2 + 4 + 4)


def test_environment_shown(both, compile_program):
    """OMP_DISPLAY_ENV and affinity are the program's own."""
    program = compile_program(FORKS, flags=["-fopenmp"], name="forks")
    both(program, OMP_DISPLAY_ENV="verbose", OMP_PROC_BIND="close", OMP_PLACES="cores")


def test_many_tasks_and_threads(both, compile_program):
    seen = count(both(compile_program(MANY, flags=["-fopenmp"], name="many")))
    assert seen[TASK, CREATE] == seen[TASK, BEGIN] == 50000
    assert (seen["regions"], seen["parts"]) == (301, 4 + 600)
    assert seen["threads"] == 1 + 3 + 600
