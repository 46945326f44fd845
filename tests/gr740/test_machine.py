# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of OpenMP, unchanged, on the models of RTEMS and of the chip (rtems/rtems_machine.c): the timer's interrupts come at any
instruction, to all processors or to one, and a processor is idle while its thread waits."""
import collections
import re

import pytest

from board import call
from pieces import records_of, streams_of

COUNTERS, SAMPLE, EVENT = 24, 32, 18
THREADS = 4
ASKED = {"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "256k",
         "SAMPLING_PERIOD": "1ms", "TANDEM_BUFFER": "1M", "TANDEM_COUNTERS": "cycles,ahb", "TANDEM_SENSORS": "temperature,power",
         "TANDEM_SENSORS_PERIOD": "5ms", "TANDEM_OUTPUT": "x.pieces"}
HOT = """
#include <omp.h>
#include <stdio.h>
static volatile unsigned sink[4][32];
static volatile double end;
#define HOT(name, share)                                                          \\
    __attribute__((noinline, noclone)) static void name(int who)                   \\
    {                                                                              \\
        unsigned value = sink[who][0];                                             \\
        for (unsigned i = 0; i < (share)*2000; i++)                                \\
            value = value * 1664525 + 1013904223;                                  \\
        sink[who][0] = value;                                                      \\
    }
HOT(hot_six, 6)
HOT(hot_three, 3)
HOT(hot_one, 1)
static int work_in_parallel(void)
{
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int who = omp_get_thread_num();
        for (int round = 0; round < ROUNDS; round++) {
            unsigned was = sink[who][0], n = 20000, a = 1664525, c = 1013904223, pa = 1, pc = 0;
            hot_six(who), hot_three(who), hot_one(who);
            for (; n; n >>= 1) { /* the same in steps that double */
                if (n & 1)
                    pc = pc * a + c, pa *= a;
                c = c * a + c, a *= a;
            }
            wrong += sink[who][0] != was * pa + pc;
        }
    }
    return wrong;
}
int main(void)
{
    int wrong = work_in_parallel();
    for (int round = 0; round < 3 * ROUNDS; round++) /* the others wait meanwhile */
        hot_six(0), hot_three(0), hot_one(0);
    wrong += work_in_parallel();
    printf("wrong %d\\n", wrong);
    return 0;
}
"""


@pytest.fixture(scope="module")
def hot(root, link_board, tmp_path_factory):
    source = tmp_path_factory.mktemp("hot") / "hot.c"
    source.write_text(HOT)
    return link_board(source, "-DROUNDS=700", root / "tests/gr740/rtems/rtems_machine.c", wraps=("--heap",), model=True)


def samples_of(streams):
    return {slot: [record for record in records if record.kind == SAMPLE] for (slot, context), records in streams.items()
            if context == 1}


def record_of(program, run, tmp_path, **env):
    said = run("qemu-sparc32plus", program, env={**ASKED, **env}, timeout=60, check=True)
    assert said.stdout == "wrong 0\n"  # interrupts give back what they found
    return {key: list(records_of(stream)) for key, stream in streams_of((tmp_path / "x.pieces").read_bytes()).items()}


def test_all_processors(hot, run, tandem, tmp_path):
    """All threads get samples of their own, in the ratio of their work. They stand for no time in which the thread waited."""
    streams = record_of(hot, run, tmp_path)
    samples = samples_of(streams)
    assert len(samples) == THREADS and all(len(records) > 100 for records in samples.values())
    times = [record.time for records in samples.values() for record in records]
    first, *others = sorted((sum(record.id for record in records) for records in samples.values()), reverse=True)
    assert all(weight < 0.8 * (max(times) - min(times)) for weight in others) and first > 1.1 * max(others)
    run(tandem, "merge", "--binary", hot, "x.pieces", check=True)
    run(tandem, "check", "x.prv", check=True)
    report = run(tandem, "stat", "x.prv", check=True).stdout
    shares = {name: float(share) for share, name in re.findall(r"^ +(\d+\.\d+) % .* (hot_\w+)$", report, re.M)}
    whole = sum(shares.values())
    n = sum(len(records) for records in samples.values())
    for name, share in (("hot_six", 0.6), ("hot_three", 0.3), ("hot_one", 0.1)):
        assert abs(shares[name] / whole - share) < 5 * (share * (1 - share) / n) ** 0.5 + 0.01, report


@pytest.mark.parametrize("full", ["stop", "ring"])
def test_full(full, link_board, root, run, tandem, tmp_path):
    """Rings that tasks and interrupts fill: what is lost is counted, the program computes as before."""
    program = link_board(root / "tests/gr740/image_pipeline.c", root / "tests/gr740/rtems/rtems_machine.c", wraps=("--heap",),
                         model=True)
    env = {**ASKED, "TANDEM_BUFFER": "16k", "TANDEM_FULL": full, "SAMPLING_PERIOD": "500us"}
    plain = run("qemu-sparc32plus", program, 24, 256, env={**env, "TANDEM_RECORD": 0}, timeout=60, check=True).stdout
    assert plain.startswith("codes ")
    assert run("qemu-sparc32plus", program, 24, 256, env=env, timeout=60, check=True).stdout == plain
    merged = run(tandem, "merge", "--binary", program, "x.pieces", check=True).stdout.replace(",", "")
    assert int(re.search(r"(\d+) lost", merged)[1]) > 100
    run(tandem, "check", "x.prv", check=True)


def test_chains(hot, run, tmp_path):
    """The stacks of all threads, from where they were interrupted to where they began."""
    streams = record_of(hot, run, tmp_path)
    listed = call("sparc64-linux-gnu-nm", hot)
    places = sorted((int(address, 16), name) for address, name in re.findall(r"^(\w+) [tT] (\S+)$", listed, re.M))
    ends = collections.Counter()
    for records in samples_of(streams).values():
        for record in records:
            names = [max(place for place in places if place[0] <= address - (i > 0))[1] for i, address in enumerate(record.words)]
            if names[0].startswith("hot_"):
                assert names[1] in ("main", "work_in_parallel._omp_fn.0")
                ends[names[-1]] += 1
    assert len(ends) == 2 and min(ends.values()) > 50, ends  # the first thread's, and that of the others


def test_one_processor(hot, run, tandem, tmp_path):
    """The thread of one processor gets samples, the counters of all are read."""
    streams = record_of(hot, run, tmp_path, TANDEM_SAMPLING_CPUS="one")
    samples = samples_of(streams)
    assert sorted(bool(records) for records in samples.values()) == [False, False, False, True]
    counts = {slot: sum(record.kind == COUNTERS for record in records) for (slot, context), records in streams.items() if context == 1}
    assert all(n > 50 for n in counts.values()), counts
