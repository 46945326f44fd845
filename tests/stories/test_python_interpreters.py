# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpreters within a process: each call of each function in them is recorded, in whichever order they run code, in which
thread, and at the same time where each has a lock of its own (3.12 and later)."""
import pytest

import python_calls
from test_python import INTERPRETERS

N_THREADS, N_ROUNDS, N_MADE = 3, 2, 200

PROGRAM = f"""
import threading
try:
    import _interpreters
except ImportError:
    import _xxsubinterpreters as _interpreters
create, run, destroy = _interpreters.create, _interpreters.run_string, _interpreters.destroy

def calls(name, n):
    return f"import math\\ndef {{name}}(): math.sqrt(2)\\nfor _ in range({{n}}): {{name}}()"

first, second = create(), create()
run(second, calls("of_second", 6))
run(first, calls("of_first", 4))
thread = threading.Thread(target=run, args=(first, calls("in_thread", 5)))
thread.start(); thread.join()
destroy(first)

MAKE = '''
def f(): pass
for i in range({N_MADE}):
    names = {{"__name__": "made"}}
    exec(f"def made_{{i % 50}}(): return {{i}}", names)
    assert names[f"made_{{i % 50}}"]() == i
    f()
'''
def work():
    for _ in range({N_ROUNDS}):
        interpreter = create()
        run(interpreter, MAKE)
        destroy(interpreter)
threads = [threading.Thread(target=work) for _ in range({N_THREADS})]
for thread in threads: thread.start()
for thread in threads: thread.join()
run(create(), calls("left", 1)) # ends with the process
print("end")
"""


@pytest.mark.parametrize("settings", [[], ["--python-c-calls", "--sampling-period=1ms"]], ids=["functions", "all"])
@pytest.mark.parametrize("version", INTERPRETERS)
def test_every_call(version, settings, run, tandem, tmp_path):
    words = [INTERPRETERS[version], "-c", PROGRAM]
    traced = run(tandem, "record", "--keep", "--python=all", *settings, "-o", "t.prv", "--", *words)
    assert (traced.returncode, traced.stdout) == (0, "end\n"), traced.stderr
    run(tandem, "check", "t.prv", check=True)
    [process] = python_calls.read_run(tmp_path / "t.tandem")
    n = N_THREADS * N_ROUNDS * N_MADE
    wanted = {"of_first": 4, "of_second": 6, "in_thread": 5, "left": 1, "f": n}
    assert {name: process.own()[name] for name in wanted} == wanted
    made = {name: count for name, count in process.calls.items() if name.startswith("made.made_")}
    assert made == {f"made.made_{i}": n // 50 for i in range(50)}
    assert process.calls["math.sqrt"] == (4 + 6 + 5 + 1 if settings else 0)
    assert process.n_open == 0
