# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs as users start them, and as they end: what the trace holds, and that nothing but the ranks is in it."""
import collections
import re
import subprocess
import time

import pytest

from nodes import events_of_tasks

LEVEL, AFTER, CHILD = 10, 11, 12


@pytest.fixture(scope="module")
def program(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program("mpi_job", mpi=True, flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])


def tasks_of(prv):
    """Number of tasks of each application."""
    header = prv.read_text().splitlines()[0].split("):", 1)[1]
    return [int(n) for n in re.findall(r":(?:\d+:)?(\d+)\(|,(\d+)\(", header) for n in n if n][1:]


def messages(prv):
    return [line for line in prv.read_text().splitlines() if line.startswith("3:")]


def values(prv, type_):
    return [value for events in events_of_tasks(prv, type_).values() for _, value in events]


def test_several_mpirun_in_a_script(run, tandem, mpirun, program, tmp_path):
    """One run, one trace: an application for each mpirun; here MPI_Init_thread of each level."""
    mpirun_2 = " ".join(mpirun(2))
    (tmp_path / "script").write_text(f"for level in 0 1 2 3; do {mpirun_2} {program} level $level || exit; done\n")
    run(tandem, "record", "-o", "out.prv", "--", "sh", "script", check=True)
    prv = tmp_path / "out.prv"
    run(tandem, "check", prv, check=True)
    assert tasks_of(prv) == [2, 2, 2, 2]
    assert len(messages(prv)) == 4 * 2 * 3
    applications = [line.split(":")[2:4] for line in prv.read_text().splitlines() if line.startswith("2:") and str(LEVEL) in line.split(":")[6::2]]
    assert sorted(applications) == [[str(a), str(t)] for a in (1, 2, 3, 4) for t in (1, 2)]
    assert collections.Counter(values(prv, LEVEL)) == {level + 1: 2 for level in range(4)}


@pytest.mark.parametrize("mode, status", [("abort", 5), ("leave", 6)])
def test_one_rank_ends_the_job(run, tandem, mpirun, program, tmp_path, mode, status):
    """MPI_Abort, and leaving without MPI_Finalize, for which the other one waits: messages of all ranks are there."""
    result = run(tandem, "record", "-o", "out.prv", "--", *mpirun(2), program, mode)
    assert result.returncode == status
    prv = tmp_path / "out.prv"
    run(tandem, "check", prv, check=True)
    assert tasks_of(prv) == [2] and len(messages(prv)) == 2 * 3
    found = re.search(r"^#tandem:open-calls=(\d+)$", prv.read_text(), re.MULTILINE)
    assert found and int(found[1]) >= 1


def test_after_finalize(run, tandem, mpirun, libtandem, program, tmp_path):
    """The program goes on: its events, its samples and its status; a child is shown to who asks for all processes."""
    env = {"SAMPLING_PERIOD": "1ms", "TANDEM_KEEP": "1", "TANDEM_OUTPUT": tmp_path / "out.prv"}
    # mpirun itself must not see that status: it would kill the other rank, wherever that is.
    run(*mpirun(2), "sh", "-c", f'LD_PRELOAD={libtandem} "$0" after; test $? = 3', program, env=env, check=True)
    prv = tmp_path / "out.prv"
    run(tandem, "check", prv, check=True)
    assert {task: len(events) for task, events in events_of_tasks(prv, AFTER).items() if events} == {1: 100, 2: 100}
    for task, events in events_of_tasks(prv, AFTER).items():
        sampled = [time for time, _ in events_of_tasks(prv, 30000000)[task]]
        assert not events or sum(time > events[-1][0] for time in sampled) >= 10
    assert values(prv, CHILD) == []
    run(tandem, "merge", "--all-processes", "out.tandem", "-o", "all.prv", check=True)
    assert values(tmp_path / "all.prv", CHILD) == [1, 1]


def test_launchers_are_no_ranks(run, tandem, mpirun, program, tmp_path):
    inside = ["env", "A=1", "nice", "sh", "-c", '"$0"; exit $?', program]
    run(tandem, "record", "-o", "out.prv", "--", "env", "B=1", "taskset", "0x1", *mpirun(2), *inside, check=True)
    prv = tmp_path / "out.prv"
    run(tandem, "check", prv, check=True)
    assert tasks_of(prv) == [2] and len(messages(prv)) == 2 * 3


def test_singleton_with_children(run, tandem, libtandem, program, tmp_path):
    """A program that calls MPI_Init without a launcher."""
    run(program, "children", preload=libtandem, env={"TANDEM_KEEP": "1"}, check=True)
    prv = tmp_path / "mpi_job.prv"
    run(tandem, "check", prv, check=True)
    assert tasks_of(prv) == [1] and len(messages(prv)) == 3
    run(tandem, "merge", "--all-processes", "mpi_job.tandem", "-o", "all.prv", check=True)
    assert sorted(values(tmp_path / "all.prv", CHILD)) == [1, 2]


def test_two_jobs_at_once(tandem, run, mpirun, libtandem, program, tmp_path, clean_environment):
    """In one directory and of one program: a trace each."""
    words = [*mpirun(2), "-x", f"LD_PRELOAD={libtandem}", program]
    jobs = []
    for place in (tmp_path / "a", tmp_path / "b"):  # two mpirun that make one directory at once may both fail
        place.mkdir()
        jobs.append(subprocess.Popen(words, cwd=tmp_path, env={**clean_environment, "OMPI_MCA_orte_tmpdir_base": str(place)}))
    assert [job.wait(60) for job in jobs] == [0, 0]
    deadline = time.monotonic() + 20
    while list(tmp_path.glob("*.tandem")) and time.monotonic() < deadline:
        time.sleep(0.05)
    traces = sorted(tmp_path.glob("*.prv"))
    assert [path.name for path in traces] == ["mpi_job.2.prv", "mpi_job.prv"]
    for prv in traces:
        run(tandem, "check", prv, check=True)
        assert tasks_of(prv) == [2] and len(messages(prv)) == 2 * 3
