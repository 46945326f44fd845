# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem attach: what it says of programs that know themselves what they did; that it leaves them alone; how it refuses."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import pytest

from samples import samples_of

NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.fixture
def known(compile_program):
    return compile_program("attach_known", flags=("-O2", "-fomit-frame-pointer"))


@pytest.fixture
def attachable(machine):
    """Skips where the kernel lets nobody like us have perf events."""
    refusal = machine.event_refusal("cpu-clock")
    if refusal:
        pytest.skip(f"the kernel refuses perf events here: {os.strerror(refusal)}")


@pytest.fixture
def started(clean_environment, tmp_path):
    """with started(*command, user=words) as process: ..., a program that says "ready" before it works, and waits for a line."""

    @contextlib.contextmanager
    def start(*command, wrapper=()):
        words = [str(word) for word in (*wrapper, *command)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment, cwd=tmp_path) as process:
            assert process.stdout.readline() == "ready\n"
            try:
                yield process
            finally:
                process.kill()

    return start


@pytest.fixture
def attaching(tandem, clean_environment, tmp_path):
    """with attaching(*words) as process: ..., which has begun to watch."""

    @contextlib.contextmanager
    def attach(*words, wrapper=(), cwd=tmp_path):
        command = [str(word) for word in (*wrapper, tandem, "attach", *words)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean_environment, cwd=cwd) as process:
            pid = words[-1]
            for _ in range(1000):  # it has the files of the thread that it watches before it waits for the first event
                if process.poll() is not None or list(pathlib.Path(cwd).glob(f"*.tandem/*.{pid}.0/0.signal.stream")):
                    break
                time.sleep(0.01)
            try:
                yield process
            finally:
                process.kill()

    return attach


def go_on(process):
    process.stdin.write("go\n")
    process.stdin.flush()


def told(process, n):
    """CPU time in ns that the program's threads say they used."""
    return [int(process.stdout.readline().split()[1]) for _ in range(n)]


def share(samples, function):
    """Of the CPU time that is in samples, how much is under the function; how many samples there are."""
    whole = [(stack, weight) for rows in samples.values() for stack, weight in rows if weight]
    return sum(weight for stack, weight in whole if function in stack) / sum(weight for _, weight in whole), len(whole)


def test_threads_that_come_and_go(started, attaching, attachable, known, run, tandem, tmp_path):
    """Each thread's CPU time, who called whom without frame pointers, where it slept; the program's end makes the trace."""
    with started(known, 2, 20) as program, attaching("--sampling-period", "1ms", "-o", "a.prv", program.pid) as attach:
        go_on(program)
        used = told(program, 40)
        assert program.wait(60) == 0
        said = attach.communicate(timeout=60)[1]
        assert attach.returncode == 0, said
    assert "1 process, 41 threads" in said and " 0 lost" in said
    samples = samples_of(tmp_path / "a.prv")
    part, n = share(samples, "heavy")
    assert n > 0.7 * sum(used) / 1e6 and abs(part - 0.75) < 0.05 + 4 * (0.75 * 0.25 / n) ** 0.5
    both = [stack for rows in samples.values() for stack, _ in rows if stack[-1] == "burn"]
    whole = sum("work" in stack and (stack[stack.index("work") + 1:] in (["heavy", "burn"], ["light", "burn"])) for stack in both)
    assert len(both) > 0.9 * n and whole > 0.98 * len(both)
    cpu_ns = sum(weight or 0 for rows in samples.values() for _, weight in rows)
    assert abs(cpu_ns / sum(used) - 1) < 0.05
    run(tandem, "check", "a.prv", check=True)
    assert not list(tmp_path.glob("*.tandem"))


def test_states_are_those_of_the_kernel(started, attaching, attachable, known, tandem, run, tmp_path):
    """A thread that sleeps is Blocked for as long as it sleeps: 20 rounds of 20 ms, of one thread."""
    with started(known, 1, 20) as program, attaching("-o", "a.prv", program.pid) as attach:
        go_on(program)
        used = told(program, 20)
        program.wait(60)
        attach.wait(60)
    run(tandem, "check", "a.prv", check=True)
    lines = [line.split(":") for line in (tmp_path / "a.prv").read_text().splitlines() if line.startswith("1:")]
    states = {}
    for _, _, _, _, thread, begin, end, state in lines:
        if thread == "2":
            states[state] = states.get(state, 0) + int(end) - int(begin)
    assert abs(states["1"] / sum(used) - 1) < 0.05, states
    longest = max(states.items(), key=lambda item: item[1] if item[0] not in ("1", "2") else 0)
    assert 0.95 * 400e6 < longest[1], states


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, "duration"])
def test_the_program_runs_on(started, attaching, attachable, known, tmp_path, ending):
    words = ["--duration", "1s"] if ending == "duration" else []
    with started(known, 1, 100) as program, attaching(*words, "--sampling-period", "1ms", "-o", "a.prv", program.pid) as attach:
        go_on(program)
        time.sleep(1)
        if not words:
            attach.send_signal(ending)
        said = attach.communicate(timeout=60)[1]
        assert attach.returncode == 0 and "samples" in said
        assert program.poll() is None
        assert len(told(program, 100)) == 100 and program.wait(60) == 0
    assert share(samples_of(tmp_path / "a.prv"), "burn")[0] > 0.9


def test_killed_it_leaves_what_it_had(started, attaching, attachable, known, run, tandem, tmp_path):
    with started(known, 1, 100) as program, attaching("--sampling-period", "1ms", "-o", "a.prv", program.pid) as attach:
        go_on(program)
        time.sleep(2.5)
        attach.kill()
        attach.wait(60)
        assert program.poll() is None
    run(tandem, "merge", "a.tandem", check=True)
    assert share(samples_of(tmp_path / "a.prv"), "burn")[1] > 100


def test_another_program_by_exec(started, attaching, attachable, known, run, tandem, tmp_path):
    with started(known, 1, 5, "/bin/sh") as program, attaching("--sampling-period", "1ms", "-o", "a.prv", program.pid) as attach:
        go_on(program)
        program.wait(60)
        said = attach.communicate(timeout=60)[1]
        assert attach.returncode == 0, said
    run(tandem, "check", "a.prv", check=True)
    samples = samples_of(tmp_path / "a.prv")
    before, n = share(samples, "burn")
    assert 0.02 < before < 0.98 and n > 100
    assert any("dash" in function for rows in samples.values() for stack, _ in rows for function in stack)


QUERY = "with recursive t(x) as (select 1 union all select x + 1 from t where x < 90000000) select sum(x * x % 7) from t;"
OTHERS = {
    "sqlite3": ["sqlite3", ":memory:", QUERY],
    "python": ["/usr/bin/python3", "-c", "import json\nwhile True: json.dumps({'a': [1, 2, 3] * 20})"],
    "perl": ["perl", "-e", "while (1) { $x{$i++ % 1000} = join(',', sort map { $_ * 7 % 13 } 1 .. 50) }"],
}


@pytest.mark.parametrize("name", OTHERS)
def test_programs_of_others(attaching, attachable, clean_environment, tmp_path, name):
    """Stacks of programs that we did not compile lead from their begin to the bottom."""
    if not shutil.which(OTHERS[name][0]):
        pytest.skip(f"{name} is not installed")
    with subprocess.Popen(OTHERS[name], stdout=subprocess.DEVNULL, env=clean_environment) as program:
        time.sleep(0.4)  # it is loaded
        with attaching("--duration", "2s", "--sampling-period", "1ms", "-o", "a.prv", program.pid) as attach:
            said = attach.communicate(timeout=60)[1]
            assert attach.returncode == 0, said
        program.kill()
    rows = [stack for rows in samples_of(tmp_path / "a.prv").values() for stack, _ in rows]
    assert len(rows) > 100 and sum("__libc_start_main" in stack[:2] for stack in rows) > 0.995 * len(rows)


def test_name_of_a_script(started, attaching, attachable, tmp_path):
    (tmp_path / "solver.py").write_text("print('ready', flush=True)\ninput()\n")
    with started("/usr/bin/python3", "-B", "solver.py") as program, attaching(program.pid) as attach:
        go_on(program)
        assert attach.communicate(timeout=60)[1] and attach.returncode == 0
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["solver.pcf", "solver.prv", "solver.py", "solver.row"]


@as_root
def test_as_an_ordinary_user(started, attaching, attachable, run, known, tandem, tmp_path):
    pathlib.Path(tmp_path, "open").mkdir(mode=0o777)
    os.chmod(tmp_path / "open", 0o777)
    for directory in (tmp_path, *tmp_path.parents[:3], known.parent, *known.parents[1:3]):
        os.chmod(directory, os.stat(directory).st_mode | 0o055)
    if run(*NOBODY, tandem, "--version").returncode != 0 or run(*NOBODY, known, 0, 0, input="go\n").returncode != 0:
        pytest.skip("another user cannot reach this build")
    paranoid = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    with started(known, 1, 30, wrapper=NOBODY) as program:
        with attaching("--sampling-period", "1ms", "-o", "a.prv", program.pid, wrapper=NOBODY, cwd=tmp_path / "open") as attach:
            go_on(program)
            program.wait(60)
            said = attach.communicate(timeout=60)[1]
        if paranoid > 2:
            assert attach.returncode == 1 and f"perf_event_paranoid is {paranoid}" in said
            return
        assert attach.returncode == 0, said
    part, n = share(samples_of(tmp_path / "open" / "a.prv"), "heavy")
    assert n > 100 and abs(part - 0.75) < 0.05 + 4 * (0.75 * 0.25 / n) ** 0.5


@as_root
def test_refuses_what_is_not_ours(started, known, run, tandem, tmp_path):
    with started(known, 1, 1) as program:
        refused = run(*NOBODY, tandem, "attach", program.pid, cwd="/")
        if "Permission denied" in refused.stderr:
            pytest.skip("another user cannot reach this build")
        assert refused.returncode == 1
        assert refused.stderr == f"tandem: attach: {program.pid}: belongs to the user root: attach as that user or as root\n"


def test_refuses_clearly(run, tandem, tmp_path):
    def refusal(*words):
        refused = run(tandem, "attach", *words)
        return refused.returncode, refused.stderr

    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert refusal(ended.pid) == (1, f"tandem: attach: {ended.pid}: has ended, and only waits for its parent\n")
    assert refusal(ended.pid) == (1, f"tandem: attach: {ended.pid}: there is no such process\n")
    status, said = refusal("12x")
    assert status == 2 and re.fullmatch(r'tandem: attach: PID: got "12x", takes the number of a process\n', said)
    assert refusal()[0] == 2 and refusal("--duration", "0", "1")[0] == 2
    assert not list(tmp_path.iterdir())


def test_refuses_where_a_filter_forbids_it(started, known, refusing, run, tandem, tmp_path):
    with started(known, 1, 1) as program:
        refused = run(*refusing("perf"), tandem, "attach", program.pid)
    assert refused.returncode == 1 and "perf_event_open is forbidden by a filter (seccomp)" in refused.stderr
    assert not list(tmp_path.glob("*.tandem"))


@as_root
def test_does_not_overwrite(started, attachable, known, run, tandem, tmp_path):
    (tmp_path / "a.prv").write_text("mine")
    with started(known, 1, 1) as program:
        refused = run(tandem, "attach", "-o", "a.prv", program.pid)
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert (tmp_path / "a.prv").read_text() == "mine"
