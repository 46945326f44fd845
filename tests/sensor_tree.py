#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of files like those in which the kernel shows its sensors, for machines that have none.

    sensor_tree.py [--cpus N] DIRECTORY [-- COMMAND...]

makes the tree below DIRECTORY (TANDEM_SYSFS_ROOT is then to name it): a package and its cores by hwmon, a zone by
thermal, a package, its cores and its memory by RAPL, a fan, /proc/stat.  With a command, which gets TANDEM_SYSFS_ROOT, the
tree follows its load while it runs, whatever else the machine does: CPU i of the tree is CPU i modulo their number of the
machine.  Its exit status is the command's.

The temperatures and powers are invented, and say nothing of any machine: a core needs 1.5 W and 8 W more while it runs,
and warms up by 30 degrees with a time constant of a second.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from processes import descendants

ENERGY_RANGE_UJ = 262143328850  # of many processors with RAPL
PERIOD_S = 0.02
IDLE_W, CORE_W, MEMORY_W = 1.5, 8.0, 2.0
COLD_C, WARMER_C, WARMING_S = 40.0, 30.0, 1.0


class SensorTree:
    """The files.  Each is replaced as a whole, so that who reads never sees a part."""

    def __init__(self, directory, n_cpus=4):
        self.root = pathlib.Path(directory)
        self.n_cpus = n_cpus
        self.hwmon = "sys/class/hwmon/hwmon0"
        self.rapl = "sys/class/powercap/intel-rapl:0"
        self.write(f"{self.hwmon}/name", "coretemp")
        self.write(f"{self.hwmon}/temp1_label", "Package id 0")
        self.write(f"{self.hwmon}/fan1_input", 1200)
        for cpu in range(n_cpus):
            self.write(f"{self.hwmon}/temp{cpu + 2}_label", f"Core {cpu}")
            topology = f"sys/devices/system/cpu/cpu{cpu}/topology"
            self.write(f"{topology}/physical_package_id", 0)
            self.write(f"{topology}/core_id", cpu)
        self.write("sys/class/thermal/thermal_zone0/type", "acpitz")
        self.write("sys/class/thermal/thermal_zone0/temp", 27800)
        for place, name in ((self.rapl, "package-0"), (f"{self.rapl}:0", "core"), (f"{self.rapl}:1", "dram")):
            self.write(f"{place}/name", name)
            self.write(f"{place}/max_energy_range_uj", ENERGY_RANGE_UJ)
        self.set_temperatures([COLD_C] * n_cpus)
        self.set_energies(ENERGY_RANGE_UJ - 3_000_000, 1_000_000, 2_000_000)
        self.set_ticks([(0, 1000)] * n_cpus)

    def write(self, name, value):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(f"{value}\n")
        os.replace(new, path)

    def set_temperatures(self, celsius):
        """One a core; the package has the highest."""
        self.write(f"{self.hwmon}/temp1_input", round(1000 * max(celsius)))
        for cpu, value in enumerate(celsius):
            self.write(f"{self.hwmon}/temp{cpu + 2}_input", round(1000 * value))

    def set_energies(self, package_uj, cores_uj, memory_uj):
        for place, value in ((self.rapl, package_uj), (f"{self.rapl}:0", cores_uj), (f"{self.rapl}:1", memory_uj)):
            self.write(f"{place}/energy_uj", round(value) % (ENERGY_RANGE_UJ + 1))

    def remove_rapl(self):
        """And lets PAPI read registers."""
        shutil.rmtree((self.root / self.rapl).parent)
        self.write("dev/cpu/0/msr", "")

    def set_ticks(self, ticks):
        """(running, idle) of each CPU since the machine started."""
        lines = [f"cpu{cpu} {running} 0 0 {idle} 0 0 0 0 0 0" for cpu, (running, idle) in enumerate(ticks)]
        total = [sum(column) for column in zip(*ticks)]
        self.write("proc/stat", "\n".join([f"cpu  {total[0]} 0 0 {total[1]} 0 0 0 0 0 0", *lines, "intr 0"]))


def read_threads(pid):
    """{thread: (CPU, ns that it ran)} of all of them."""
    threads = {}
    for process in descendants(pid):
        for thread in pathlib.Path(f"/proc/{process}/task").glob("*"):
            try:
                ran_ns = int((thread / "schedstat").read_text().split()[0])
                cpu = int((thread / "stat").read_text().rsplit(")", 1)[1].split()[36])
            except OSError:
                continue
            threads[int(thread.name)] = cpu, ran_ns
    return threads


class Follower(threading.Thread):
    """Lets a tree follow the load of a process and its descendants until it is told to stop."""

    def __init__(self, tree, pid):
        super().__init__(daemon=True)
        self.tree = tree
        self.pid = pid
        self.n_machine = os.cpu_count()
        self.over = threading.Event()
        self.celsius = [COLD_C] * tree.n_cpus
        self.energies = [ENERGY_RANGE_UJ - 3e6, 1e6, 2e6]
        self.ticks = [[0, 1000] for _ in range(tree.n_cpus)]

    def follow(self, load, elapsed_s):
        """The tree's next state, from how busy each of the machine's CPUs was."""
        load = [min(1, load.get(cpu % self.n_machine, 0)) for cpu in range(self.tree.n_cpus)]
        for cpu, share in enumerate(load):
            target = COLD_C + WARMER_C * share
            self.celsius[cpu] += (target - self.celsius[cpu]) * min(1, elapsed_s / WARMING_S)
            self.ticks[cpu][0] += round(1e4 * elapsed_s * share)  # finer than the kernel's
            self.ticks[cpu][1] += round(1e4 * elapsed_s * (1 - share))
        cores_w = sum(IDLE_W + CORE_W * share for share in load)
        for i, watts in enumerate((cores_w + 3, cores_w, MEMORY_W)):
            self.energies[i] += watts * elapsed_s * 1e6
        self.tree.set_temperatures(self.celsius)
        self.tree.set_energies(*self.energies)
        self.tree.set_ticks(self.ticks)

    def run(self):
        before, then = read_threads(self.pid), time.monotonic()
        while not self.over.wait(PERIOD_S):
            threads, now = read_threads(self.pid), time.monotonic()
            load = {}
            for thread, (cpu, ran_ns) in threads.items():
                more_ns = ran_ns - before.get(thread, (cpu, 0))[1]
                load[cpu] = load.get(cpu, 0) + more_ns / 1e9 / (now - then)
            self.follow(load, now - then)
            before, then = threads, now

    def stop(self):
        self.over.set()
        self.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--cpus", type=int, default=4)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    tree = SensorTree(arguments.directory, arguments.cpus)
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        return 0
    program = subprocess.Popen(command, env={**os.environ, "TANDEM_SYSFS_ROOT": str(tree.root.resolve())})
    follower = Follower(tree, program.pid)
    follower.start()
    status = program.wait()
    follower.stop()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
