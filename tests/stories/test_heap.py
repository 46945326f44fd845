# SPDX-License-Identifier: GPL-3.0-or-later
"""The heap of programs whose allocations are known: live bytes at every checkpoint, what was never freed, to the byte."""
import collections
import csv
import io
import re

import pytest

LIVE, ALLOCATIONS, ALLOCATED, MAPPED = 92020000, 92020001, 92020002, 92020003
RAW, MEMORY, OBJECTS = 92020010, 92020011, 92020012  # of Python
OWN, ALL, OWN_MAPPED = 9000, 9001, 9002  # events of the programs: what they know of, all that is live; what they mapped
MODES = ["values", "sites", "leaks", "calls"]


@pytest.fixture(scope="session")
def truth(compile_program):
    """A library that counts on its own, to be preloaded after ours."""
    return compile_program("heap_truth", flags=["-shared", "-fPIC", "-fno-builtin", "-O2"], name="heap_truth.so")


@pytest.fixture(scope="session")
def program(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program(
        "heap", flags=[f"-L{place}", f"-Wl,-rpath,{place}", "-fno-builtin"],
        libraries=["-ltandem-api"])


@pytest.fixture
def record(run, tandem, tmp_path):
    """record(*command, mode=..., preload=...) -> path of the trace, of a program that does what it does without tandem."""

    def record_command(*command, mode="values", preload=None, env=None):
        library = tandem.parent.parent / "libtandem-heap.so"  # by itself: another one can be preloaded behind it
        settings = {"TANDEM_HEAP": mode, "TANDEM_OUTPUT": tmp_path / "heap.prv", "TANDEM_FORCE": "1", **(env or {})}
        libraries = f"{library}:{preload}" if preload else library
        own = {name: value for name, value in settings.items() if not name.startswith("TANDEM_")}
        plain = run(*command, env=own, preload=preload, check=True)
        traced = run(*command, env=settings, preload=libraries, check=True)
        said, plain_said = (sorted(result.stdout.splitlines()) for result in (traced, plain))  # processes may take turns
        assert said == plain_said != [] and traced.stderr == plain.stderr == ""
        run(tandem, "check", tmp_path / "heap.prv", check=True)
        return tmp_path / "heap.prv"

    return record_command


def read_events(path):
    """{(application, task): [(time, thread, type, value), ...]} in the order of the file."""
    processes = collections.defaultdict(list)
    for line in path.read_text().splitlines():
        if line.startswith("2:"):
            _, _, application, task, thread, time, *pairs = (int(field) for field in line.split(":"))
            for type_, value in zip(pairs[::2], pairs[1::2]):
                processes[application, task].append((time, thread, type_, value))
    return processes


def checkpoints(events, type_, of=LIVE):
    """[(live bytes as recorded, value of the program's event), ...]"""
    live, seen = None, []
    for _, thread, kind, value in events:
        if kind == of:
            assert thread == 1 and value >= 0
            live = value
        elif kind == type_:
            seen.append((live, value))
    return seen


def check_live(events):
    """At every checkpoint what is live is what the program knows of, but for what was there at the first."""
    own, all_ = checkpoints(events, OWN), checkpoints(events, ALL)
    assert len(own) > 1 or len(all_) > 1
    if own:
        assert [live - own[0][0] for live, _ in own] == [value - own[0][1] for _, value in own]
    assert [live for live, _ in all_] == [value for _, value in all_]
    return len(own) + len(all_)


@pytest.mark.parametrize("mode", MODES)
def test_replay(run, tandem, record, program, mode):
    """A million operations of eight threads on common blocks; all that is left of them is in the list."""
    env = {"TANDEM_HEAP_THRESHOLD": "100k"} if mode == "calls" else None
    path = record(program, "replay", mode=mode, env=env)
    ((_, events),) = read_events(path).items()
    assert check_live(events) == 26
    assert len(path.read_text().splitlines()) < 20000  # a million operations are not a million lines
    if mode == "leaks":
        own = checkpoints(events, OWN)
        left = sum(int(row["live [bytes]"]) for row in read_rows(run, tandem, path) if "operate at" in row["stack"])
        assert left == own[-1][1] - own[0][1]


@pytest.mark.parametrize("case", ["chains", "aligned", "leaks", "ends"])
@pytest.mark.parametrize("mode", ["values", "leaks"])
def test_live(record, program, truth, case, mode):
    ((_, events),) = read_events(record(program, case, mode=mode, preload=truth)).items()
    assert check_live(events) >= 8


def test_fork(run, tandem, record, program, truth):
    """A child has its parent's blocks, those of other threads too, and frees them."""
    path = record(program, "forks", mode="leaks", preload=truth)
    processes = read_events(path)
    assert len(processes) == 2
    assert [check_live(events) for events in processes.values()] == [12, 8]
    sites = read_sites(run, tandem, path)
    assert int(sites["hold_and_fork"]["live [bytes]"]) == 0 and sites["hold_and_fork"]["processes"] == "2"


def test_maps(run, tandem, record, program):
    """What a program maps and unmaps, in all ways, is in the trace, and nothing else that is mapped in it: nothing was before."""
    path = record(program, "maps", env={"TANDEM_STACK": "1", "TANDEM_SAMPLING_PERIOD": "1ms"})
    parent, child = (checkpoints(events, OWN_MAPPED, of=MAPPED) for events in read_events(path).values())
    assert [mapped or 0 for mapped, _ in parent] == [value for _, value in parent] and len(parent) == 14
    assert child == [(91 * 4096, 91 * 4096)]
    table = run(tandem, "histogram", path, "--view", "mapped", "--statistic", "maximum", "--csv", "-", check=True).stdout
    assert f"{max(value for _, value in parent)}" in table


@pytest.mark.parametrize("mode", ["values", "leaks"])
def test_operators(record, compile_program, build_dir, truth, mode):
    """new and delete, of one and of many, aligned, that do not throw and that do: each is counted once."""
    place = build_dir / "runtime"
    program = compile_program(
        "heap_new.cc", flags=[f"-L{place}", f"-Wl,-rpath,{place}", "-fno-builtin", "-std=c++17"],
        libraries=["-ltandem-api", "-ldl"])
    ((_, events),) = read_events(record(program, mode=mode, preload=truth)).items()
    seen = checkpoints(events, ALL)
    assert len(seen) == 9 and [live for live, _ in seen] == [value for _, value in seen]
    lives = [live for live, _ in seen]
    assert len(set(lives)) > 5 and lives[0] == lives[7]  # all was freed
    assert 0 < lives[8] - lives[0] < 400  # what failed left its exception, which is being handled


# One call tells the truth and has it recorded: Python allocates nothing between them.
TELL = """
#include <dlfcn.h>
#include <tandem.h>
void tell(void) { tandem_event(9001, ((long (*)(void))dlsym(RTLD_DEFAULT, "truth_live"))()); }
"""

PYTHON = """
import ctypes, sys, tandem
tell = ctypes.CDLL(sys.argv[1]).tell
kept = []
for i in range(200):
    kept.append(bytearray(1000 * i) if i % 3 else [str(k) * 20 for k in range(i)])
    if i % 10 == 9:
        del kept[::3]
    tell()
print(sum(map(len, kept)))
"""


@pytest.fixture(scope="session")
def teller(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program(TELL, flags=["-shared", "-fPIC", f"-L{place}", f"-Wl,-rpath,{place}"],
                           libraries=["-ltandem-api"], name="tell.so")


@pytest.mark.parametrize("domains", [False, True])
def test_python(record, truth, teller, root, tmp_path, domains):
    """What Python asks the C library for: of its small objects only the large blocks that they are in, or each of them."""
    script = tmp_path / "script.py"
    script.write_text(PYTHON)
    path = record("/usr/bin/python3", script, teller, preload=truth,
                  env={"PYTHONPATH": root / "python", "TANDEM_HEAP_PYTHON": int(domains)})
    seen = [checkpoints(events, ALL) for events in read_events(path).values()]
    assert [len(s) for s in seen] == [200]
    assert [live for live, _ in seen[0]] == [value for _, value in seen[0]]
    has = {type_ for events in read_events(path).values() for _, _, type_, _ in events}
    assert {RAW, MEMORY, OBJECTS} <= has if domains else not has & {RAW, MEMORY, OBJECTS}


# Objects of 1000 bytes have a head of 33 (GNU's malloc then has 1048 usable), an array one of 8 bytes an element.
DOMAINS = """
import tandem
kept = [None] * 1000
tandem.event(9003, 0)
for i in range(1000):
    kept[i] = bytes(1000)
tandem.event(9003, 1000 * 1048)
kept = None
tandem.event(9003, -1000 * 1048)
wide = [None] * 12345
tandem.event(9004, 12345 * 8)
print(len(wide))
"""


def test_python_domains(record, run, tandem, root, tmp_path):
    """Objects count among objects, what they point to among memory; all are in the heap, by who made them."""
    script = tmp_path / "script.py"
    script.write_text(DOMAINS)
    path = record("/usr/bin/python3", script, mode="leaks",
                  env={"PYTHONPATH": root / "python", "TANDEM_HEAP_PYTHON": 1, "PYTHONHASHSEED": 0})
    ((_, events),) = read_events(path).items()
    for kind in (OBJECTS, LIVE):
        lives = [live for live, _ in checkpoints(events, 9003, of=kind)]
        assert [abs(new - old) - 1000 * 1048 for old, new in zip(lives, lives[1:])] == [pytest.approx(0, abs=9000)] * 2
    before = checkpoints(events, 9003, of=MEMORY)[-1][0]
    assert checkpoints(events, 9004, of=MEMORY)[0][0] - before == pytest.approx(12345 * 8, abs=2000)
    made = [int(row["allocated [bytes]"]) for row in read_rows(run, tandem, path) if int(row["allocations"]) >= 1000]
    assert any(1000 * 1048 <= n_bytes < 1010 * 1048 for n_bytes in made)
    table = run(tandem, "histogram", path, "--view", "python-memory", "--statistic", "maximum", "--csv", "-", check=True).stdout
    assert table.startswith("Maximum")


def test_python_that_chooses_its_allocator(record, root, run, tandem, tmp_path):
    """It has what it chose, and runs as it does."""
    script = tmp_path / "script.py"
    script.write_text(DOMAINS)
    for choice in ("debug", "pymalloc"):
        record("/usr/bin/python3", script, env={"PYTHONPATH": root / "python", "TANDEM_HEAP_PYTHON": 1, "PYTHONMALLOC": choice})


def read_rows(run, tandem, path):
    return list(csv.DictReader(io.StringIO(run(tandem, "heap", path, "--csv", "-", check=True).stdout)))


def read_sites(run, tandem, path):
    """{function: row of the CSV} of the sites."""
    return {row["site"].split(" at ")[0]: row for row in read_rows(run, tandem, path)}


def test_leaks(run, tandem, record, program):
    """What was never freed, by who allocated it, to the byte and the block."""
    path = record(program, "leaks", mode="leaks")
    sites = read_sites(run, tandem, path)
    figures = {name: tuple(int(row[key]) for key in ("live blocks", "live [bytes]", "allocations", "allocated [bytes]"))
               for name, row in sites.items() if name.startswith("leak") or name == "resize"}
    # Usable bytes of GNU's malloc: 16 n + 8; what is large has pages of its own only from 128 KiB on.
    assert figures == {
        "leak_small": (1000, 24000, 1000, 24000),
        "leak_large": (7, 7 * 123464, 7, 7 * 123464),
        "leak_nothing": (0, 0, 5000, 5000 * 72),
        "leak_one_in_ten": (0, 0, 1000, 1000 * 408),
        "resize": (100, 100 * 504, 1000, 1000 * 504),
    }
    assert "leak_one_in_ten at heap.c" in sites["resize"]["stack"]
    check_text(run(tandem, "heap", path, check=True).stdout)
    said = run(tandem, "stat", path, check=True).stdout
    section = said[said.index("\nHeap, in usable bytes"):]
    assert re.search(r"^  1\.1 +\d.*B +\d.*B +\d.*B/s +[\d,]+ +[\d,]+/s  \w", section, re.M)
    assert re.search(r"^ +844 KiB +7  leak_large at heap\.c:\d+$", section, re.M)
    assert re.search(r"^ +23.44 KiB +1,000  leak_small at heap\.c:\d+$", section, re.M)


def bytes_of(text):
    """A size as `tandem heap` prints it, and half of its last digit."""
    number, unit = text.split()
    factor = 1024 ** ["B", "KiB", "MiB"].index(unit)
    return float(number) * factor, 0.5 * factor / 10 ** len(number.partition(".")[2])


def check_text(text):
    """What `tandem heap` prints of the program's leaks: the process, then the sites with most first."""
    of_others = 2000  # bytes, in a dozen blocks: what the loader and the C library allocate for themselves
    known = {"largest": 24000 + 7 * 123464 + 5000 * 72, "at the end": 24000 + 7 * 123464 + 100 * 504,
             "allocated": 24000 + 7 * 123464 + 5000 * 72 + 1000 * 408 + 1000 * 504}
    (row,) = re.findall(r"^  1\.1 +([\d.]+ \w+) +([\d.]+ \w+) +([\d.]+ \w+) +([\d,]+)  (\w+) at heap\.c:\d+$", text, re.M)
    for said, least in zip(row, known.values()):
        size, half = bytes_of(said)
        assert least - half <= size <= least + of_others + half, row
    assert 0 <= int(row[3].replace(",", "")) - (1000 + 7 + 5000 + 1000 + 1000) <= 12 and row[4] == "leak_nothing"
    lines = text[text.index("\nNever freed\n"):].splitlines()[3:6]
    numbers = [re.split(r" {2,}| (?=\d)", line.strip()) for line in lines]
    allocated = {"leak_large": (7 * 123464, 7, 7 * 123464, 7), "resize": (100 * 504, 100, 1000 * 504, 1000),
                 "leak_small": (24000, 1000, 24000, 1000)}
    for fields, (site, wanted) in zip(numbers, allocated.items(), strict=True):
        assert fields[-1].startswith(f"{site} at heap.c:")
        for said, size in zip((fields[0], fields[4]), wanted[::2]):
            assert bytes_of(said)[0] == pytest.approx(size, abs=bytes_of(said)[1]), fields
        assert [int(n.replace(",", "")) for n in (fields[1], fields[5])] == list(wanted[1::2]), fields


def test_sample_of_sites(run, tandem, record, program):
    """A sample of the blocks says about the same."""
    path = record(program, "leaks", mode="sites", env={"TANDEM_HEAP_SAMPLE": "4k"})
    sites = read_sites(run, tandem, path)
    assert abs(int(sites["leak_large"]["live [bytes]"]) - 7 * 123464) < 100
    assert 0.6 * 360000 < int(sites["leak_nothing"]["allocated [bytes]"]) < 1.4 * 360000
    text = run(tandem, "heap", path, check=True).stdout
    assert "Never freed" in text and text.index("leak_large") < text.index("leak_small")
