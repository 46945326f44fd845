#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_sensors.py LIBTANDEM: what reading all sensors costs, in CPU time of a program that sleeps, and of one that computes: with
readings every 100 ms and every 10 ms, and none.  Settings take turns; each figure is the least of some.

The sensors are files of ten in the place of the machine's: what a driver behind such a file takes is not in it.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from sensor_tree import SensorTree  # noqa: E402

TURNS, SLEEP_S, BUSY_S = 5, 2, 1
SETTINGS = [("none", "100ms"), ("all", "100ms"), ("all", "10ms")]
BUSY = "x = 0\nfor i in range({}): x += i * i"


def measure(command, environment):
    """CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(libtandem):
    with tempfile.TemporaryDirectory() as directory:
        tree = SensorTree(pathlib.Path(directory) / "tree")
        second_s = measure([sys.executable, "-c", BUSY.format(5_000_000)], os.environ)
        busy = BUSY.format(int(5_000_000 * BUSY_S / second_s))
        asleep_s, busy_s = [[[] for _ in SETTINGS] for _ in range(2)]
        for turn in range(TURNS):
            for i, (sensors, period) in enumerate(SETTINGS):
                environment = {**os.environ, "LD_PRELOAD": libtandem, "TANDEM_SENSORS": sensors, "TANDEM_SENSORS_PERIOD": period,
                               "TANDEM_SYSFS_ROOT": str(tree.root), "TANDEM_MERGE": "0",
                               "TANDEM_OUTPUT": f"{directory}/{turn}.{i}"}
                asleep_s[i].append(measure(["sleep", str(SLEEP_S)], environment))
                busy_s[i].append(measure([sys.executable, "-c", busy], environment))
    for i, (_, period) in list(enumerate(SETTINGS))[1:]:
        more_s = min(asleep_s[i]) - min(asleep_s[0])
        n_readings = SLEEP_S / {"100ms": 0.1, "10ms": 0.01}[period]
        print(f"every {period}: {100 * more_s / SLEEP_S:.2f} % of a CPU, {1e6 * more_s / n_readings:.0f} us a reading; "
              f"a program that computes takes {min(busy_s[i]) / min(busy_s[0]):.4f} of its CPU time without")


main(*sys.argv[1:])
