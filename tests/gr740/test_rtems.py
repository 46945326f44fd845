# SPDX-License-Identifier: GPL-3.0-or-later
"""What calls RTEMS, against a small model of the functions that it calls, and with the model of the chip's registers: two tasks on
two processors, of which one is interrupted. The model is the project's; that RTEMS behaves so was seen once, outside of it."""
import collections
import re
import subprocess

import pytest

from pieces import records_of, streams_of

COUNTERS, SAMPLE, EVENT = 24, 32, 18
TEMPERATURE, RAW, ALARM, POWER = 92010000, 92013000, 92013001, 92011000
AREA, LARGEST, USED, BEGIN, MOST, HIGH = 92020004, 92020005, 92020006, 92020007, 92020008, 92020101
ASKED = {"SAMPLING_PERIOD": "2ms", "TANDEM_STACK": "1", "TANDEM_HEAP": "values", "TANDEM_COUNTERS": "cycles,instructions,nothing",
         "TANDEM_SENSORS": "temperature,power", "TANDEM_SENSORS_PERIOD": "1ms", "TANDEM_TEMPERATURE_OFFSET": "-2000",
         "TANDEM_TEMPERATURE_ALARM": "53", "TANDEM_OUTPUT": "x.pieces", "TANDEM_SAMPLING_CPUS": "one"}


@pytest.fixture(scope="module")
def program(root, link_board):
    return link_board(root / "tests/gr740/rtems/rtems_app.c", wraps=("--no-main",), model=True)


def values_of(records, type_):
    return [record.words[0] if record.words else record.aux for record in records if record.kind == EVENT and record.id == type_]


def test_all(program, run, tandem, tmp_path):
    said = run("qemu-sparc32plus", program, env=ASKED, timeout=60, check=True)
    assert (said.stdout, said.stderr) == ("interrupts 400 unknown 0\n", "")
    streams = {key: list(records_of(stream)) for key, stream in streams_of((tmp_path / "x.pieces").read_bytes()).items()}
    first, second = ((0, 1) if (0, 1) in streams and any(r.kind == SAMPLE for r in streams[0, 1]) else (1, 0))
    samples = [record for record in streams[first, 1] if record.kind == SAMPLE]
    assert len(samples) == 400
    symbols = subprocess.run(["sparc64-linux-gnu-nm", program], capture_output=True, text=True, check=True).stdout
    places = sorted((int(address, 16), name) for address, name in re.findall(r"^(\w+) [tT] (\w+)$", symbols, re.M))
    names = [[max(p for p in places if p[0] <= address - (i > 0))[1] for i, address in enumerate(r.words)] for r in samples]
    assert {tuple(frames[1:4]) for frames in names} == {("work", "first", "run_first")}
    assert collections.Counter(frames[0] for frames in names) == {"hot_six": 240, "hot_three": 120, "hot_one": 40}
    # Counters of its own processor at samples and regions, of the other one while that runs a thread.
    own = [record for record in streams[first, 1] if record.kind == COUNTERS]
    other = [record for record in streams[second, 1] if record.kind == COUNTERS]
    assert len(own) == len(samples) and 0 < len(other) < len(own)
    for records, rate in ((own, 1), (other, 2)):
        assert all(len(record.words) == 2 for record in records)
        assert all(b.words[0] > a.words[0] for a, b in zip(records, records[1:]))
        assert all(abs(record.words[1] / record.words[0] - rate) < 0.01 for record in records)
    # Sensors, in a stream of their own.
    sensors = streams[32, 0]
    raw, temperatures = values_of(sensors, RAW), values_of(sensors, TEMPERATURE)
    assert len(raw) > 5 and len(set(raw)) > 1 and set(raw) <= set(range(50, 55)) and temperatures == [1000 * value - 2000 for value in raw]
    assert values_of(sensors, ALARM) == [int(value >= 53) for value in raw]
    power = values_of(sensors, POWER)
    assert power[1] == 683 and power[-1] == 502  # 321.8 mW, and 180.87 mW for each of two tasks, then one
    assert all(502 <= value <= 683 for value in power)
    heap = streams[first, 0]
    assert values_of(heap, AREA) == [0x200000]
    assert [a + b for a, b in zip(values_of(heap, USED), values_of(heap, LARGEST))] == [0x200000] * len(values_of(heap, USED))
    assert values_of(heap, BEGIN) == [0x1000]
    # The other task may have looked at the heap before this one reads the most that was used: that is more by its look.
    most, used = set(values_of(heap, MOST)), set(values_of(heap, USED))
    assert len(most & used) > 0.9 * len(used) and all({value, value - 4096} & used for value in most)
    assert 1000 < values_of(heap, HIGH)[0] < 65536
    result = run(tandem, "merge", "--binary", program, "x.pieces", check=True)
    assert " 0 lost" in result.stdout and "counters: nothing: the chip does not count it" in result.stderr
    assert re.findall(r"stack of thread (\d): 65536 bytes, (\w+)", result.stderr)[2:] == [("3", "100"), ("4", "an")]
    run(tandem, "check", "x.prv", check=True)
    report = run(tandem, "stat", "x.prv", check=True).stdout
    assert "Power of the node" in report and "Temperature 1" in report and "hot_six" in report


def test_within_a_record(program, run, tandem, tmp_path):
    """Interrupts that ask for their samples to be written out, while the thread writes a record: it does that with its next one,
    and none leaves the ring."""
    said = run("qemu-sparc32plus", program, "within", env={**ASKED, "TANDEM_BUFFER": "16k"}, timeout=60, check=True).stdout
    assert said == f"outside 0 lost 0 turns 1\ninterrupts {40 * 100} unknown 0\n"
    merged = run(tandem, "merge", "--binary", program, "x.pieces", check=True)
    assert " 0 lost" in merged.stdout
    streams = {key: list(records_of(stream)) for key, stream in streams_of((tmp_path / "x.pieces").read_bytes()).items()}
    values = [value for records in streams.values() for value in values_of(records, 5)]
    assert sorted(values) == sorted([1] + 40 * [*range(2, 103)])
    assert max(sum(record.kind == SAMPLE for record in records) for records in streams.values()) == 40 * 100


def test_counters_wrap(program, run):
    """Those of a processor that runs no thread, too: 20,000,000,000 cycles pass, of 4,294,967,296 that a counter has room for."""
    said = run("qemu-sparc32plus", program, "long", env=ASKED, timeout=60, check=True).stdout
    wraps, lacks = map(int, re.search(r"wraps (\d+) lacks (\d+)", said).groups())
    assert wraps >= 4 and lacks < 200


@pytest.mark.parametrize("case, notes", [
    ("refuse", ["sampling: there is no timer for it; nothing is sampled"]),
    ("absent", ["sampling: there is no timer for it; nothing is sampled", "counters: the chip has no L4STAT, or its clock is off",
                "sensors: the chip has no temperature sensor"])])
def test_without(case, notes, program, run, tandem, tmp_path):
    said = run("qemu-sparc32plus", program, case, env=ASKED, timeout=60, check=True)
    assert said.stdout == "interrupts 0 unknown 0\n" and said.stderr == ""
    result = run(tandem, "merge", "x.pieces", check=True)
    for note in notes:
        assert note in result.stderr
    run(tandem, "check", "x.prv", check=True)
