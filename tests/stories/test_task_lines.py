# SPDX-License-Identifier: GPL-3.0-or-later
"""A program whose graph of tasks is known, recorded with both compilers' OpenMP: what `tandem tasks` says of it, and the
lines of its trace, with where tasks were made on demand."""
import collections
import re

import pytest

PROGRAM = """
#include <stdio.h>
#define N 8
static int cells[N + 1][N + 1], sum;
int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
#pragma omp task depend(in : cells[i - 1][j], cells[i][j - 1]) depend(out : cells[i][j])
                cells[i][j] = i * j == 1 ? 1 : cells[i - 1][j] + cells[i][j - 1];
#pragma omp taskwait
        for (int i = 0; i < 4; i++)
#pragma omp task depend(mutexinoutset : sum)
            sum += i;
#pragma omp task depend(in : sum)
        printf("%d %d\\n", cells[N][N], sum);
    }
    return 0;
}
"""
N = 8
EXPECTED = {
    "tasks": str(N * N + 5),
    "dependences": str(2 * N * (N - 1) + 4),
    "height": str(2 * N - 1),
    "width": str(N),
    "alone": "0",
}


def lines_by_tag(prv):
    return collections.Counter(line.rsplit(":", 1)[1] for line in prv.read_text().splitlines() if line[:2] == "3:")


def graph(text):
    found = dict(re.findall(r"^  (\S+) +(\d+)   ", text, re.M))
    return {label: found[label] for label in EXPECTED}


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_wavefront(tandem, libtandem, compile_program, run, tmp_path, compiler):
    program = compile_program(PROGRAM, flags=["-fopenmp"], name="wavefront", compiler=compiler)
    dependences = {"60000001": int(EXPECTED["dependences"])}
    recorded = run(tandem, "record", "-o", "a.prv", "--", program, check=True)
    assert recorded.stdout == "3432 6\n"
    assert lines_by_tag(tmp_path / "a.prv") == dependences
    assert graph(run(tandem, "tasks", "a.prv", check=True).stdout) == EXPECTED
    run(tandem, "tasks", "--dot", "a.dot", "a.prv", check=True)
    dot = (tmp_path / "a.dot").read_text()
    assert dot.count(" -> ") == dependences["60000001"] and dot.count("label=") == N * N + 5
    with_creation = dependences | {"60000000": N * N + 5}
    run(tandem, "record", "--task-creation", "-o", "b.prv", "--", program, check=True)
    assert lines_by_tag(tmp_path / "b.prv") == with_creation
    preloaded = run(program, preload=libtandem, env={"TANDEM_TASK_CREATION": "1"}, check=True)
    assert (preloaded.stdout, preloaded.stderr) == ("3432 6\n", "")
    assert lines_by_tag(tmp_path / "wavefront.prv") == with_creation


DETACHED = """
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static int late, has_run;
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : late)
        __atomic_store_n(&has_run, 1, __ATOMIC_SEQ_CST);
#pragma omp task depend(in : late)
        printf("%d\\n", late);
        while (!__atomic_load_n(&has_run, __ATOMIC_SEQ_CST))
            usleep(100);
        usleep(200000);
        late = 7;
        omp_fulfill_event(event);
    }
    return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_detached(tandem, compile_program, run, tmp_path, compiler):
    """What waits for a detached task waits until it is fulfilled, by whomever."""
    program = compile_program(DETACHED, flags=["-fopenmp"], name="detached", compiler=compiler)
    env = {"OMP_WAIT_POLICY": "passive"}
    assert run(tandem, "record", "-o", "a.prv", "--", program, env=env, check=True).stdout == "7\n"
    assert lines_by_tag(tmp_path / "a.prv") == {"60000001": 1, "60000002": 1}
    text = run(tandem, "tasks", "a.prv", check=True).stdout
    assert graph(text) == {"tasks": "2", "dependences": "1", "height": "2", "width": "1", "alone": "0"}
    assert "not placed" not in text
