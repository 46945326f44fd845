# SPDX-License-Identifier: GPL-3.0-or-later
"""`--python-c-calls`: functions of C that Python calls, in each version of CPython: every call, within whom it was made, by
names of modules and types; beside a program that profiles itself."""
import pytest

import python_calls
from test_python import INTERPRETERS

PYTHON = "/usr/bin/python3"

# What is looked at is called nowhere but here.
PROGRAM = """
import math, os, sys, threading, _thread
class List(list):
    pass
def roots(n):
    for i in range(n):
        math.sqrt(i)
def methods():
    things = List()
    for i in range(7):
        things.insert(0, i)
    things.sort(key=lambda v: math.fabs(v))
    return max(map(math.ceil, things))
def fails():
    try:
        math.factorial(-1)
    except ValueError:
        pass
    try:
        math.factorial("x")
    except TypeError:
        pass
def of_classes():
    dict.fromkeys([1]), bytes.fromhex("00"), str.maketrans("a", "b")
    object.__new__(object), tuple.__new__(tuple, [1])
def generate():
    for i in range(3):
        yield math.floor(i)
def nested(n):
    return max([0], key=lambda _: nested(n - 1)) if n else math.gcd(4, 6)
roots(10); methods(); fails(); of_classes(); sum(generate()); nested(20)
thread = threading.Thread(target=roots, args=(100,))
thread.start(); thread.join()
lock = _thread.allocate_lock(); lock.acquire()
_thread.start_new_thread(lambda: (roots(50), lock.release()), ())
lock.acquire()
sys.stdout.write("written\\n")
"""
WITHIN = {
    ("__main__.roots", "math.sqrt"): 160,
    ("__main__.methods", "builtins.list.insert"): 7,
    ("__main__.methods", "builtins.list.sort"): 1,
    ("builtins.list.sort", "__main__.methods.<locals>.<lambda>"): 7,
    ("__main__.methods.<locals>.<lambda>", "math.fabs"): 7,
    ("__main__.methods", "builtins.max"): 1,
    ("__main__.fails", "math.factorial"): 2,
    ("__main__.of_classes", "builtins.dict.fromkeys"): 1,
    ("__main__.of_classes", "builtins.bytes.fromhex"): 1,
    ("__main__.of_classes", "builtins.str.maketrans"): 1,
    ("__main__.of_classes", "builtins.object.__new__"): 1,
    ("__main__.of_classes", "builtins.tuple.__new__"): 1,
    ("builtins.sum", "__main__.generate"): 4,
    ("__main__.generate", "math.floor"): 3,
    ("__main__.nested", "builtins.max"): 20,
    ("builtins.max", "__main__.nested.<locals>.<lambda>"): 20,
    ("__main__.nested.<locals>.<lambda>", "__main__.nested"): 20,
    ("__main__.nested", "math.gcd"): 1,
    ("__main__.<module>", "_io.TextIOWrapper.write"): 1,
}


@pytest.fixture
def record(run, tandem, tmp_path):
    """record(interpreter, program, settings...) -> (result, notes, the processes): output and status as without tandem."""

    def run_both(interpreter, program, *settings, **options):
        (tmp_path / "program.py").write_text(program)
        plain = run(interpreter, "program.py", **options)
        words = [tandem, "record", "--keep", "--force", "--python-c-calls", *settings, "-o", "t.prv", "--", interpreter]
        traced = run(*words, "program.py", **options)
        assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout), traced.stderr
        run(tandem, "check", "t.prv", check=True)
        return traced, run(tandem, "stat", "t.prv").stdout, python_calls.read_run(tmp_path / "t.tandem")

    return run_both


@pytest.mark.parametrize("version", INTERPRETERS)
def test_every_call(version, record):
    qualified = version not in ("3.9", "3.10")
    def name(text):
        return text if qualified or not text.startswith("__main__.") else f"__main__.{text.rsplit('.', 1)[-1]}"

    traced, _, [process] = record(INTERPRETERS[version], PROGRAM, "--python=all")
    assert traced.stdout == "written\n"
    wanted = {(name(outer), name(inner)): n for (outer, inner), n in WITHIN.items()}
    assert {pair: process.within[pair] for pair in wanted} == wanted
    assert (process.n_open, process.n_threads) == (0, 3)


def test_labels_and_choice(record, run, tandem, tmp_path):
    """Lists and what is excluded go for them, too; `auto` gives those up that are short; a function's label is its name."""
    (tmp_path / "wanted").write_text("math.*\n__main__.methods\nbuiltins.nothing\n")
    traced, _, [process] = record(PYTHON, PROGRAM, "--python=wanted", "--python-exclude=math.fabs,gcd")
    assert "nothing was called that is 'builtins.nothing' (line 3 of the list)" in traced.stderr
    numbers = {"math.sqrt": 160, "math.factorial": 2, "math.floor": 3, "__main__.methods": 1}
    assert process.calls == numbers
    assert " math.sqrt\n" in (tmp_path / "t.pcf").read_text().replace("\t", " ")

    _, stat, [process] = record(PYTHON, "for i in range(5000): len('')", "--python=auto")
    assert process.calls["builtins.len"] in (1024, 2048, 3072)  # judged again if something else ran meanwhile
    assert "turned out too short" in stat

    _, stat, [process] = record(PYTHON, PROGRAM, "--python=none")
    assert not process.calls and "recorded with functions of Python only" in stat


FORKS = """
import os
def work():
    for i in range(5): os.getppid()
pid = os.fork()
work()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
"""


def test_fork(record):
    """The call that forks is open in the child as well, and ends there."""
    _, _, processes = record(PYTHON, FORKS, "--python=all")
    assert [p.within["__main__.work", "posix.getppid"] for p in processes] == [5, 5]
    assert [p.within["__main__.<module>", "posix.fork"] for p in processes] == [1, 1]
    assert [p.within["__main__.<module>", "__main__.work"] for p in processes] == [1, 1]
    assert [p.n_open for p in processes] == [0, 2]  # the module, and os._exit


PROFILES = """
import sys, threading
def f():
    return len("abc")
seen = []
def profile(frame, event, what):
    if frame.f_code.co_name in ("f", "run"):
        seen.append((event, frame.f_code.co_name, getattr(what, "__name__", None)))
def run():
    f()
f()
sys.setprofile(profile)
f()
sys.setprofile(None)
f()
threading.setprofile(profile)
thread = threading.Thread(target=run)
thread.start(); thread.join()
threading.setprofile(None)
thread = threading.Thread(target=run)
thread.start(); thread.join()
print(sys.getprofile(), seen)
"""


@pytest.mark.parametrize("version", INTERPRETERS)
def test_programs_own_profile(version, record):
    """It hears what it hears without us; we hear on in other threads."""
    _, stat, [process] = record(INTERPRETERS[version], PROFILES, "--python=all")
    assert process.within["__main__.f", "builtins.len"] == 2  # the first in the main thread, and the last thread's
    assert process.calls["__main__.f"] == 5 and process.n_open == 0
    assert "the program has set a profile function" in stat


COLLECTS = """
import gc
def lines(chunks):
    for chunk in chunks:
        for line in chunk:
            yield line
def chunks():
    held = []
    for i in range(50):
        yield ["a", "b"]
        for k in range(200): held.append(bytes(12)) # where the inner loop's iterator was
        gc.collect()
print(*lines(chunks()))
"""


@pytest.mark.parametrize("version", INTERPRETERS)
def test_collector_of_garbage(version, record):
    """3.11.2 by itself has it look at stale parts of stacks when a profile function is there."""
    _, _, [process] = record(INTERPRETERS[version], COLLECTS, "--python=all")
    assert process.within["__main__.chunks", "gc.collect"] == 50 and process.n_open == 0
