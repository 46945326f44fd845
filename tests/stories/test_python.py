# SPDX-License-Identifier: GPL-3.0-or-later
"""Every function of Python is recorded, each call of it: functions of all kinds, recursion to the end of the stack, all ways
to start a program and to end it."""
import json
import pathlib
import re
import shutil

import pytest

import python_calls

PYTHON = "/usr/bin/python3"


def find_interpreters():
    """{version: path} of those that the machine has, pyenv's too; tandem knows the frames of 3.9 to 3.13."""
    found = {}
    for minor in range(9, 14):
        ours = sorted(pathlib.Path("~/.pyenv/versions").expanduser().glob(f"3.{minor}.*/bin/python3"))
        path = shutil.which(f"python3.{minor}", path="/usr/bin:/usr/local/bin") or (ours and ours[-1])
        if path:
            found[f"3.{minor}"] = str(path)
    return found


INTERPRETERS = find_interpreters()


@pytest.fixture
def trace(run, tandem, tmp_path):
    """trace(words of Python...) -> (result, the processes).  The result is that of a run without tandem."""

    def run_both(*words, settings=(), same_errors=True, is_merged=True, **options):
        plain = run(PYTHON, *words, **options)
        traced = run(tandem, "record", "--keep", "--force", "--python=all", *settings, "-o", "t.prv", "--", PYTHON, *words, **options)
        assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout), traced.stderr
        if is_merged:
            last = traced.stderr.splitlines(keepends=True)[-1]
            assert last.startswith("tandem: t.prv: "), traced.stderr
            assert not same_errors or traced.stderr == plain.stderr + last
            run(tandem, "check", "t.prv", check=True)
        return traced, python_calls.read_run(tmp_path / "t.tandem")

    return run_both


def check_known(stdout, process):
    calls, within = json.loads(stdout.splitlines()[-1])
    assert process.own() == calls
    seen = {f"{a} {b}".replace("__main__.", ""): n for (a, b), n in process.within.items() if a}
    assert {pair: seen.get(pair) for pair in within} == within
    assert (process.n_open, process.n_threads) == (0, 1 + 6)


def test_functions_of_all_kinds(trace, root):
    traced, processes = trace(root / "tests" / "stories" / "programs" / "python_known.py")
    check_known(traced.stdout, *processes)


def test_preload_alone(run, libtandem, tandem, root, tmp_path):
    env = {"TANDEM_PYTHON": "all", "TANDEM_KEEP": "1", "TANDEM_OUTPUT": "t.prv"}
    traced = run(PYTHON, root / "tests" / "stories" / "programs" / "python_known.py", env=env, preload=libtandem, check=True)
    assert traced.stderr == "to stderr\n"
    check_known(traced.stdout, *python_calls.read_run(tmp_path / "t.tandem"))


SCRIPT = "import os, sys\ndef f(): pass\nfor i in range(7): f()\nprint(sys.argv[1:], flush=True)\n"


@pytest.mark.parametrize(
    "words",
    [["script.py", "a"], ["-c", SCRIPT, "a"], ["-m", "script", "a"], ["-"], [], ["-I", "-S", "-E", "script.py"], ["-I", "-S", "-c", SCRIPT]],
)
def test_ways_to_start(words, trace, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    _, (process,) = trace(*words, input=SCRIPT)
    assert process.own() == {"f": 7, "<module>": 1} and process.n_open == 0


@pytest.mark.parametrize(
    "end, status, n_open",
    [
        ("sys.exit(3)", 3, 0),
        ("os._exit(4)", 4, 2),
        ("raise LookupError('told')", 1, 0),
        ("os.kill(os.getpid(), 9)", -9, 2),
        ("os.kill(os.getpid(), 15)", -15, 2),
        ("os.abort()", -6, 2),
        ("os.execv('/bin/sh', ['sh', '-c', 'exit 5'])", 5, 2),
        ("import threading; threading.Thread(target=lambda: os._exit(6)).start(); threading.Event().wait()", 6, None),
    ],
)
def test_ways_to_end(end, status, n_open, run, tandem, tmp_path):
    (tmp_path / "script.py").write_text(f"{SCRIPT}def last(): {end}\nlast()\n")
    traced = run(tandem, "record", "--keep", "--python=all", "-o", "t.prv", "--", PYTHON, "script.py")
    assert (traced.returncode, traced.stdout) == (status, "[]\n")
    plain = run(PYTHON, "script.py")
    assert traced.stderr.startswith(plain.stderr)
    run(tandem, "check", "t.prv", check=True)
    process = python_calls.read_run(tmp_path / "t.tandem")[0]
    assert {name: n for name, n in process.own().items() if "." not in name} == {"f": 7, "last": 1, "<module>": 1}
    assert n_open in (process.n_open, None)


DEEP = """
import sys, threading
sys.setrecursionlimit(200000)
def down(n):
    return down(n - 1) + 1 if n else 0
def after():
    pass
def go():
    print(down({depth}))
    for _ in range(5): after()
{call}
"""
IN_A_THREAD = "threading.stack_size(1 << 30)\nthread = threading.Thread(target=go)\nthread.start()\nthread.join()"


@pytest.mark.parametrize("depth, call, is_whole", [(15000, IN_A_THREAD, True), (15000, "go()", False), (40000, "go()", False)])
def test_recursion(depth, call, is_whole, trace):
    """As deep as it gets without tandem.  What is beyond the end of the stack is not recorded, and that is told."""
    traced, (process,) = trace("-c", DEEP.format(depth=depth, call=call))
    calls = process.own()
    assert calls["after"] == 5 and calls["go"] == 1 and process.n_open == 0
    if is_whole:
        assert calls["down"] == depth + 1
    else:
        assert 5000 < calls["down"] <= depth + 1


def test_lists_that_are_not_there(run, tandem, tmp_path):
    """A list is refused if it cannot be read, and found wherever the program goes."""
    program = "def f(): pass\nf()"
    refused = run(tandem, "record", "--python=wanted", "--", PYTHON, "-c", program)
    assert (refused.returncode, list(tmp_path.iterdir())) == (2, [])
    assert refused.stderr == 'tandem: record: --python: got "wanted", takes none, all, auto or a file of names\n'
    (tmp_path / "wanted").write_text("f\n")
    words = ["sh", "-c", f"cd / && {PYTHON} -c '{program}'"]
    run(tandem, "record", "--keep", "--python=wanted", "-o", "t.prv", "--", *words, check=True)
    assert [p.own() for p in python_calls.read_run(tmp_path / "t.tandem") if p.calls] == [{"f": 1}]


def test_lists(trace, tmp_path):
    """Those of the list alone; those of the program but not of the library; what was in vain is told."""
    (tmp_path / "wanted").write_text("# of mine\n__main__.f*\nThing.v?lue\n__main__.missing  # a mistake\n")
    program = "import json\ndef f(): pass\ndef fg(): f()\ndef g(): fg()\nfor i in range(3): g()\njson.dumps([])\n"
    traced, (process,) = trace("-c", program, settings=["--python=wanted"], same_errors=False)
    assert traced.stderr.splitlines()[-2] == (
        "tandem: python: nothing was called that is 'Thing.v?lue' (line 3 of the list), '__main__.missing' (line 4 of the list)")
    assert process.calls == {"__main__.f": 3, "__main__.fg": 3}
    _, (process,) = trace("-c", program, settings=["--python-exclude=importlib.*,json.*,fg"])
    assert process.own() == {"f": 3, "g": 3, "<module>": 1}
    assert not any(name.startswith(("importlib.", "json.")) for name in process.calls)


VERSIONED = """
import asyncio, sys, threading
def f(): pass
def work():
    for _ in range(100): f()
def fail(n):
    if n == 0: raise LookupError
    fail(n - 1)
def generate(n):
    for i in range(n): yield i
async def pause(n):
    for _ in range(n): await asyncio.sleep(0)
try: fail(5)
except LookupError: pass
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sum(generate(10))
asyncio.run(pause(4))
print("{}.{}".format(*sys.version_info))
"""


@pytest.mark.parametrize("version", INTERPRETERS)
def test_versions(version, run, tandem, tmp_path):
    words = [INTERPRETERS[version], "-c", VERSIONED]
    traced = run(tandem, "record", "--keep", "--python=all", "-o", "t.prv", "--", *words, check=True)
    assert traced.stdout == f"{version}\n"
    (process,) = python_calls.read_run(tmp_path / "t.tandem")
    made = int(re.sub(r"3\.", "", version)) >= 11  # what makes a generator is a run of its function since then
    wanted = {"f": 300, "work": 3, "fail": 6, "generate": made + 11, "pause": made + 5, "<module>": 1}
    assert {name: process.own()[name] for name in wanted} == wanted
    assert (process.n_open, process.n_threads) == (0, 4)


FREED = """
import ctypes, json, sys
calls = 0
for i in range(3000):
    names = {"__name__": "made"}
    exec(f"def made_{i}(): return {i}", names)
    calls += names[f"made_{i}"]() == i
freed = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda what: None)
index = ctypes.pythonapi._PyEval_RequestCodeExtraIndex(freed)
ctypes.pythonapi._PyCode_SetExtra(ctypes.py_object((lambda: 0).__code__), ctypes.c_ssize_t(index), ctypes.c_void_p(1))
print(calls)
"""


def test_code_comes_where_other_code_was(trace):
    """Functions that are made, called and freed one after another keep their names; who attaches something to code objects
    hears of those alone."""
    traced, [process] = trace("-X", "dev", "-c", FREED)
    assert traced.stdout == "3000\n"
    made = {name: n for name, n in process.calls.items() if name.startswith("made.made_")}
    assert made == {f"made.made_{i}": 1 for i in range(3000)}


def test_more_functions_than_numbers(trace):
    """What comes when the numbers of 16 bits are given is counted as one."""
    program = """
import types
def f(): pass
for i in range(65600):
    types.FunctionType(f.__code__.replace(co_name=f"f{i}", co_qualname=f"f{i}"), globals())()
"""
    _, (process,) = trace("-c", program, settings=["--no-merge"], is_merged=False)
    numbered = {name: n for name, n in process.own().items() if name[0] == "f"}
    assert 65000 < len(numbered) < 65535 and set(numbered.values()) == {1}
    assert process.calls["further functions"] == 65600 - sum(numbered.values())


def test_off_and_on(trace, root):
    """What began while recording was on ends, though it is off by then."""
    program = """
import tandem
def f(): pass
def switch_off():
    tandem.stop()
    f()
def switch_on():
    tandem.start()
    f()
for _ in range(3):
    f(); switch_off(); f(); switch_on(); f()
"""
    _, (process,) = trace("-c", program, env={"PYTHONPATH": root / "python"})
    assert process.own() == {"<module>": 1, "f": 9, "switch_off": 3} and process.n_open == 0
    assert process.within["__main__.<module>", "__main__.f"] == 9  # switch_on() was not told
