# SPDX-License-Identifier: GPL-3.0-or-later
"""`--python auto` gives functions up that are too short to be worth recording, says so, and what is left makes a list."""
import collections

import streams

PYTHON = "/usr/bin/python3"
PYTHON_FUNCTION = 60000100
DEFINE_PYTHON = 5

PROGRAM = """
import threading
def short(): pass
def long():
    for i in range(200): short()
    return sum(range(1000))
def other():
    return sum(i * i for i in range(1000))
def work():
    for i in range(1500): long()
    for i in range(300): other()
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def count_calls(directory):
    names, numbers = {}, collections.Counter()
    for ring in streams.rings(directory):
        for record in streams.read_stream(ring):
            if record.kind == streams.DEFINE and record.aux == DEFINE_PYTHON:
                names[record.id] = streams.told(record).split("\n")[0]
            elif record.kind == streams.ENTER and record.id == PYTHON_FUNCTION:
                numbers[record.aux] += 1
    return {names[number]: n for number, n in numbers.items()}


def test_short_ones_are_given_up_and_the_others_listed(run, tandem, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    record = (tandem, "record", "--keep", "-o")
    result = run(*record, "auto.prv", "--python=auto", "--", PYTHON, "program.py", check=True)
    calls = count_calls(tmp_path / "auto.tandem")
    assert calls["__main__.short"] in range(1024, 100 * 1024, 1024)  # judged again if something else ran meanwhile
    assert (calls["__main__.long"], calls["__main__.other"], calls["__main__.work"]) == (1500, 300, 1)
    assert "functions turned out too short to be worth recording" in result.stderr  # the generator within `other` as well
    assert "too short to be worth recording" in run(tandem, "stat", "auto.prv", check=True).stdout

    listed = run(tandem, "stat", "--python-functions", "auto.prv", check=True).stdout
    names = listed.splitlines()[1:]
    assert listed.startswith("# ")
    assert {"__main__.long", "__main__.other", "__main__.work", "__main__.<module>"} <= set(names)
    assert "__main__.short" not in names

    (tmp_path / "list").write_text(listed)
    result = run(*record, "again.prv", "--python=list", "--", PYTHON, "program.py", check=True)
    assert len(result.stderr.splitlines()) == 1, "every name of the list is of something"
    calls = count_calls(tmp_path / "again.tandem")
    assert set(calls) == set(names)
    assert calls["__main__.long"] == 1500
