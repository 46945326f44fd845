# SPDX-License-Identifier: GPL-3.0-or-later
"""Sensors, read from a tree of files in the place of the machine's (tests/sensor_tree.py), and the thread that reads them.

Everything here is a fixture: no figure was measured by a sensor.
"""
import os
import pathlib
import re
import struct
import subprocess
import time

import pytest

import streams
from sensor_tree import ENERGY_RANGE_UJ, SensorTree
from streams import DEFINE, EVENT, TEXT, THREAD, THREAD_END, told

TEMPERATURE, PACKAGE, CORE = 92010000, 92010100, 92010200
POWER, ENERGY, FAN = 92011000, 92012000, 92013000
RESIDENT, WRITTEN, MIGRATIONS, HUGE = 92020200, 92020206, 92020207, 92020208
NUMA, ON_NODE = 92014000, 92020300
OWN = 1  # kind of a THREAD
LABEL, NOTE, SENSOR = 3, 6, 11


@pytest.fixture
def tree(tmp_path):
    return SensorTree(tmp_path / "tree")


@pytest.fixture(scope="module")
def own_thread(compile_program):
    return compile_program("own_thread", libraries=["-lpthread"])


@pytest.fixture
def settings(tree, tmp_path):
    """settings(...) -> what asks for sensors, in a run directory that is kept."""

    def make(sensors="all", period="20ms", env={}):
        return {"TANDEM_SENSORS": sensors, "TANDEM_SENSORS_PERIOD": period, "TANDEM_SYSFS_ROOT": tree.root,
                "TANDEM_OUTPUT": tmp_path / "run", "TANDEM_MERGE": "0", **env}

    return make


@pytest.fixture
def sense(run, libtandem, settings, tmp_path):
    """sense(program...) -> (result, [records of the library's own thread in each image])."""

    def run_it(*command, sensors="all", env={}):
        result = run(*command, env=settings(sensors, env=env), preload=libtandem)
        images = sorted((tmp_path / "run.tandem").glob("*.*.*"), key=begin)
        return result, [own_records(image) for image in images]

    return run_it


JOULE = 1 << 16  # of the fake PAPI's registers


class Registers:
    """What the fake PAPI's component "rapl" counts: of package 0 all, its cores and its memory, all of package 1."""

    def __init__(self, path, papi):
        self.path = path
        self.env = {**papi, "FAKE_PAPI_ENERGY": path}
        path.write_bytes(bytes(16))

    def set(self, *joules):
        words = struct.pack("=4I", *(round(one * JOULE) % (1 << 32) for one in joules))
        with open(self.path, "r+b", buffering=0) as file:
            file.write(words)


@pytest.fixture
def registers(papi, tmp_path):
    return Registers(tmp_path / "registers", papi)


class Watched:
    """A program that lives until its input ends, while its sensors are read: what is read when is the test's choice, however
    busy the machine is."""

    def __init__(self, command, directory, environment):
        self.directory = directory
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)
        self.wait()

    def records(self):
        """Those of its only image until now."""
        while True:
            try:
                image, = self.directory.glob("*.*.*")
                return own_records(image)
            except (AssertionError, ValueError, OSError, struct.error):  # it is being made, or its ring begins again
                time.sleep(0.01)

    def wait(self, n_readings=3):
        """Until so many more readings are told: the last ones began after this call."""
        def count():
            return len({r.time for r in self.records() if r.kind == EVENT})

        aim, patience_s = count() + n_readings, time.monotonic() + 60
        while count() < aim:
            assert time.monotonic() < patience_s and self.program.poll() is None
            time.sleep(0.02)

    def tell(self, line):
        """Gives the program a line to read."""
        self.program.stdin.write(line.encode() + b"\n")
        self.program.stdin.flush()
        self.wait()

    def end(self):
        """Its exit status, and all records."""
        self.program.communicate()
        return self.program.returncode, self.records()


@pytest.fixture
def watch(settings, libtandem, clean_environment, tmp_path):
    """watch(program...) -> Watched."""
    begun = []

    def begin_it(*command, **options):
        environment = {**clean_environment, "LD_PRELOAD": libtandem, **settings(**options)}
        begun.append(Watched(command or ["cat"], tmp_path / "run.tandem", {k: str(v) for k, v in environment.items()}))
        return begun[-1]

    yield begin_it
    for watched in begun:
        watched.program.kill()
        watched.program.communicate()


def begin(image):
    return next(streams.read_stream(image / "0.main.ring")).time


def own_records(image):
    streams_of = [list(streams.read_stream(ring)) for ring in streams.rings(image)]
    own = [records for records in streams_of if any(r.kind == THREAD and r.aux == OWN for r in records)]
    assert len(own) <= 1
    return own[0] if own else []


def values(records, type_):
    return [r.words[0] for r in records if r.kind == EVENT and r.id == type_]


def notes(records):
    return [told(r) for r in records if r.kind == TEXT and r.id == NOTE]


def test_values_and_labels(sense, tree):
    tree.set_temperatures([41.5, 42, 43, 44.25])
    _, (records,) = sense("sleep", "0.2", sensors="temperature,other")
    assert set(values(records, PACKAGE)) == {44250}
    assert [set(values(records, CORE + cpu)) for cpu in range(4)] == [{41500}, {42000}, {43000}, {44250}]
    assert set(values(records, TEMPERATURE)) == {27800} and set(values(records, FAN)) == {1200}
    assert not values(records, POWER) and not values(records, RESIDENT)
    labels = {r.id: told(r) for r in records if r.kind == DEFINE and r.aux == LABEL}
    assert labels[PACKAGE] == "Package 0 [m°C] (coretemp, fixture)"
    assert labels[CORE + 3] == "Core 3 [m°C] (coretemp, fixture)"
    assert labels[TEMPERATURE] == "acpitz [m°C] (thermal zone, fixture)"
    assert labels[FAN] == "coretemp fan1 [RPM] (coretemp, fixture)"
    about = {r.id: told(r) for r in records if r.kind == DEFINE and r.aux == SENSOR}
    assert about == {PACKAGE: "0-3", CORE: "0", CORE + 1: "1", CORE + 2: "2", CORE + 3: "3"}
    times = [r.time for r in records]
    assert times == sorted(times)


def test_energy_begins_again(watch, tree):
    """What is counted across the end of the counter's range is right to the microjoule."""
    package, memory = f"{tree.rapl}/energy_uj", f"{tree.rapl}:1/energy_uj"
    tree.set_energies(ENERGY_RANGE_UJ - 1000, 5_000_000, 7_000_000)
    watched = watch(sensors="power,other")
    for name, value in (package, 300), (memory, 7_000_017), (package, 200_300):
        tree.write(name, value)
        watched.wait()
    _, records = watched.end()
    energies = values(records, ENERGY + 100)
    assert energies[0] == 0 and sum(energies) == 1000 + 300 + 200_000
    assert sum(values(records, ENERGY + 200)) == 0 and sum(values(records, ENERGY + 400)) == 17
    assert sum(values(records, ENERGY)) == 1000 + 300 + 200_000 + 17  # the node's: package and memory
    powers = values(records, POWER + 100)
    assert len(powers) == len(energies) and powers[0] == 0 and all(energies[1:])
    assert not notes(records)


def labels_of(records):
    labels = [(r.id, told(r)) for r in records if r.kind == DEFINE and r.aux == LABEL]
    assert len(dict(labels)) == len(labels)
    return dict(labels)


@pytest.mark.parametrize("why", ["absent", "refused"])
def test_energy_by_papi(watch, tree, registers, why):
    """Where powercap has nothing, or nothing that can be read; the registers begin again meanwhile."""
    most = ((1 << 32) - JOULE) / JOULE
    if why == "absent":
        tree.remove_rapl()
    else:
        for name in (tree.rapl, f"{tree.rapl}:0", f"{tree.rapl}:1"):
            os.remove(tree.root / name / "energy_uj")
            os.mkdir(tree.root / name / "energy_uj")  # reading it is refused, to root too
        tree.write("dev/cpu/0/msr_safe", "")
    registers.set(most, 5, 0, 0)
    watched = watch(sensors="power,other", env=registers.env)
    for joules in (most + 3, 7.5, 0, 0), (most + 4, 7.5, 0.25, 16):
        registers.set(*joules)
        watched.wait()
    status, records = watched.end()
    assert status == 0 and not notes(records)
    sums = {place: sum(values(records, ENERGY + place)) for place in (0, 100, 101, 200, 400)}
    assert sums == {0: 20_250_000, 100: 4_000_000, 101: 16_000_000, 200: 2_500_000, 400: 250_000}
    assert values(records, POWER + 100)[0] == 0 and max(values(records, POWER + 100)) > 0
    labels = labels_of(records)
    assert labels[ENERGY] == "Energy of the node [µJ] (RAPL by PAPI, packages)"
    assert labels[ENERGY + 100] == "Package 0 [µJ] (RAPL by PAPI)" and labels[POWER + 400] == "Memory 0 [mW] (RAPL by PAPI)"
    about = {r.id: told(r) for r in records if r.kind == DEFINE and r.aux == SENSOR}
    assert about[ENERGY + 100] == "0-3" and ENERGY + 101 not in about


def test_powercap_serves_before_papi(watch, tree, registers):
    """If one of its files can be read."""
    for name in (f"{tree.rapl}:0", f"{tree.rapl}:1"):
        os.remove(tree.root / name / "energy_uj")
    _, records = watch(sensors="power,other", env=registers.env).end()
    assert labels_of(records)[ENERGY + 100] == "Package 0 [µJ] (RAPL, fixture)"
    assert "PAPI" not in "".join([*notes(records), *labels_of(records).values()])


def test_no_registers(sense, tree, registers):
    tree.remove_rapl()
    os.remove(tree.root / "dev/cpu/0/msr")
    _, (records,) = sense("sleep", "0.1", sensors="power,process", env=registers.env)
    assert notes(records) == ["sensors (RAPL by PAPI): /dev/cpu/0/msr: No such file or directory"]


def test_papi_that_cannot_serve(sense, tree, papi):
    tree.remove_rapl()
    result, (records,) = sense("sleep", "0.1", sensors="power,process", env=papi)
    assert result.returncode == 0 and result.stderr == ""
    assert notes(records) == ["sensors (RAPL by PAPI): Can't open fd for cpu0"] and values(records, RESIDENT)


@pytest.mark.parametrize("env, sums", [({"FAKE_PAPI_BAD": "PP0_ENERGY"}, {100: 1_000_000, 101: 1_000_000}),
                                       ({"FAKE_PAPI_BAD": "PACKAGE_ENERGY"}, None)])
def test_registers_that_papi_cannot_read(watch, tree, registers, env, sums):
    """It ends the process that it is in, which is not the program's; packages are read without the rest."""
    tree.remove_rapl()
    watched = watch(sensors="all", env={**registers.env, **env})
    registers.set(1, 1, 1, 1)
    watched.wait()
    status, records = watched.end()
    assert status == 0
    if sums:
        found = {place: sum(values(records, ENERGY + place)) for place in range(100, 500) if values(records, ENERGY + place)}
        assert found == sums and not notes(records)
    else:
        assert notes(records) == ["sensors (RAPL by PAPI): who read it has ended"] and not values(records, ENERGY)


def test_registers_that_vanish(watch, tree, registers):
    tree.remove_rapl()
    watched = watch(sensors="all", env=registers.env)
    registers.set(1, 1, 1, 1)
    watched.wait()
    os.truncate(registers.path, 3)
    watched.wait(8)
    status, records = watched.end()
    assert status == 0 and sum(values(records, ENERGY)) == 3_000_000
    assert notes(records) == ["sensors (RAPL by PAPI): Package 0: rapl:::PACKAGE_ENERGY:PACKAGE0: No such process"]


def helpers_of(program):
    """Processes that PAPI is in."""
    mapped = str(program.directory)
    return [int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/comm")
            if b"tandem-helper" in path.read_bytes() and mapped in (path.parent / "maps").read_text()]


def test_nobody_is_left(watch, tree, registers):
    """Who reads for a program that is killed ends, too; it has none of its descriptors."""
    tree.remove_rapl()
    watched = watch(sensors="power,other", env=registers.env)
    helper, = helpers_of(watched)
    registers_fd, *_ = [path for path in pathlib.Path(f"/proc/{helper}/fd").iterdir() if path.resolve() == registers.path]
    assert len(list(registers_fd.parent.iterdir())) <= 5  # and nowhere, three times, and the program
    watched.program.kill()
    watched.program.wait()
    patience_s = time.monotonic() + 60
    while pathlib.Path(f"/proc/{helper}/fd/{registers_fd.name}").is_symlink():
        assert time.monotonic() < patience_s
        time.sleep(0.1)


WAITS = """
#include <sys/wait.h>
#include <stdio.h>
int main(void)
{
    char line[8];
    while (fgets(line, 8, stdin)) {}
    return waitpid(-1, 0, __WALL) == -1 ? 3 : 4;
}
"""


def test_no_child_of_the_programs(watch, tree, registers, compile_program):
    """Not even for tracers, which wait for children of all kinds."""
    tree.remove_rapl()
    watched = watch(compile_program(WAITS, name="waits"), sensors="power,other", env=registers.env)
    registers.set(1, 0, 0, 0)
    watched.wait()
    status, records = watched.end()
    assert status == 3 and values(records, ENERGY)


def test_what_goes_wrong_is_told_once(watch, tree):
    """Files that vanish, come back, say nonsense or are set back: a note each, and the rest goes on."""
    core, zone = f"{tree.hwmon}/temp3_input", "sys/class/thermal/thermal_zone0/temp"
    package, memory = f"{tree.rapl}/energy_uj", f"{tree.rapl}:1/energy_uj"
    tree.set_energies(1000, 0, 0)
    os.remove(tree.root / memory)
    os.mkdir(tree.root / memory)  # reading it is refused, to root too
    watched = watch()
    os.remove(tree.root / core)
    for name, value in (zone, "hot"), (zone, 9_000_000), (package, 12):
        watched.wait()
        tree.write(name, value)
    watched.wait()
    status, records = watched.end()
    told_of = sorted(notes(records))
    assert status == 0 and len(told_of) == 4, told_of
    assert re.fullmatch(r"sensors \(RAPL\): Memory 0: .*energy_uj: Is a directory", told_of[0])
    assert re.fullmatch(r"sensors \(RAPL\): Package 0: .*energy_uj: says what cannot be", told_of[1])
    assert re.fullmatch(r"sensors \(coretemp\): Core 1: .*temp3_input: No such file or directory", told_of[2])
    assert re.fullmatch(r"sensors \(thermal zone\): acpitz: .*temp: says what cannot be", told_of[3])
    assert set(values(records, TEMPERATURE)) == {27800}
    assert len(values(records, CORE)) > len(values(records, CORE + 1)) > 0
    assert sum(values(records, ENERGY + 100)) == 0


def test_model(watch, tree, root):
    """The GR740's two published figures, from how busy four CPUs are (a fixture): 944.5 and 1045.28 mW."""
    running = [8847, 8592, 8856, 8133]  # of 10,000: the published profile
    tree.set_ticks([(share, 10000 - share) for share in running])
    watched = watch(sensors="power", env={"TANDEM_POWER_MODEL": root / "data/power-models/gr740.txt"})
    tree.set_ticks([(share + 500, 10000 - share) for share in running])
    watched.wait(5)
    _, records = watched.end()
    assert not notes(records)
    first, *powers = values(records, POWER)
    assert first == 0 and set(powers) <= {944, 945, 1045} and sorted(powers) == powers
    assert powers.count(1045) > 3 and len(powers) > powers.count(1045)
    label, = {told(r) for r in records if r.kind == DEFINE and r.id == POWER}
    assert label == "Power of the node [mW] (modelled: GR740, fixture)"
    assert values(records, POWER + 100)  # what is measured is there beside it


def test_model_that_is_none(sense, tree, tmp_path):
    (tmp_path / "model.txt").write_text("name X\n1 2 three\n")
    result, (records, *_) = sense("sleep", "0.1", sensors="power", env={"TANDEM_POWER_MODEL": tmp_path / "model.txt"})
    first = [r for image in (tmp_path / "run.tandem").glob("*.*.*") for r in streams.read_stream(image / "0.main.ring")]
    assert result.returncode == 0 and result.stderr == ""
    assert notes(first) == [f"model of power: {tmp_path}/model.txt:2: takes MHz, static mW, mW of a running core, mW of "
                            "an idle one"]
    assert "RAPL" in "".join(told(r) for r in records if r.kind == DEFINE and r.id == POWER)


def test_process_values(watch):
    code = "input(); a = bytearray(64 << 20); f = open('/dev/null', 'wb', 0); f.write(a); input()"
    watched = watch("/usr/bin/python3", "-c", code, sensors="process")
    before = values(watched.records(), RESIDENT)
    watched.tell("allocate")
    while max(values(watched.records(), RESIDENT)) < 64 << 20:  # at the end the interpreter may have freed it
        watched.wait()
    _, records = watched.end()
    resident = values(records, RESIDENT)
    assert max(resident) > 64 << 20 and max(resident) - max(before) > 48 << 20
    assert sum(values(records, WRITTEN)) >= 64 << 20
    assert sum(values(records, RESIDENT + 1)) > 100  # page faults
    assert not values(records, PACKAGE)


def make_nodes(tree, *counts):
    """NUMA nodes: (hits, misses, foreign ones, those for others) of each."""
    for node, (hit, miss, foreign, other) in enumerate(counts):
        tree.write(f"sys/devices/system/node/node{node}/numastat", f"numa_hit {hit}\nnuma_miss {miss}\nnuma_foreign {foreign}\n"
                   f"interleave_hit 5\nlocal_node {hit - other}\nother_node {other}")


def test_numa(watch, tree):
    """Two nodes; a file of mappings that is longer than what is read at once, one of huge pages, one of a long name."""
    make_nodes(tree, (1000, 20, 30, 4), (2000, 0, 20, 0))
    lines = ["7f0000000000 default anon=3 dirty=3 N0=2 N1=1 kernelpagesize_kB=4"] * 1000
    lines += ["7f1000000000 bind:0-1 file=/anon_hugepage\\040N1=7 huge anon=2 N1=2 kernelpagesize_kB=2048",
              f"7f2000000000 default file=/{'x' * 20000} mapped=1 N0=1 kernelpagesize_kB=4", "7f3000000000 default"]
    tree.write("proc/self/numa_maps", "\n".join(lines))
    watched = watch(sensors="process,numa")
    make_nodes(tree, (1000, 27, 30, 5), (2011, 0, 27, 0))
    watched.wait()
    tree.write("proc/self/numa_maps", lines[0])
    while values(watched.records(), ON_NODE)[-1] != 8192:
        watched.wait()
    _, records = watched.end()
    counted = {type_: values(records, type_) for type_ in range(NUMA, NUMA + 400) if values(records, type_)}
    assert {type_: sum(found) for type_, found in counted.items()} == {
        NUMA: 0, NUMA + 1: 11, NUMA + 100: 7, NUMA + 101: 0, NUMA + 200: 0, NUMA + 201: 7, NUMA + 300: 1, NUMA + 301: 0}
    assert all(found[0] == 0 for found in counted.values())
    on_node = [values(records, ON_NODE + node) for node in range(2)]
    assert set(on_node[0]) == {4096 * 2001, 8192} and set(on_node[1]) == {4096 * 1000 + 2 * 2048 * 1024, 4096}
    labels = labels_of(records)
    assert labels[ON_NODE + 1] == "NUMA node 1, memory of the process [bytes] (numa_maps, fixture)"
    assert labels[NUMA + 100] == "NUMA node 0, pages from it for want of another (numastat, fixture)"
    assert not notes(records)


def test_numa_views(run, tandem, tree):
    make_nodes(tree, (1000, 0, 30, 4), (2000, 0, 0, 0))
    tree.write("proc/self/numa_maps", "7f00 default anon=3 N0=2 N1=1 kernelpagesize_kB=4")
    file = tree.root / "sys/devices/system/node/node0/numastat"
    bump = f"for n in 1 2 3 4 5 6 7 8 9; do sleep 0.1; sed -i s/numa_miss.*/numa_miss\\ $((7*n))/ {file}; done"
    run(tandem, "record", "--sensors", "all", "--sensors-period", "20ms", "-o", "out", "--", "sh", "-c", bump,
        env={"TANDEM_SYSFS_ROOT": tree.root}, check=True)

    def most(view):
        table = run(tandem, "histogram", "out.prv", "--view", view, "--statistic", "maximum", "--long", "--csv", "-", check=True)
        return max(float(line.rsplit(",", 1)[1] or 0) for line in table.stdout.splitlines()[1:])

    assert most("numa-memory") == 3 * 4096 and most("numa-memory:92020301") == 4096
    assert most("numa-misses") % 7 == 0 < most("numa-misses") < most("numa-miss-rate")


def test_one_numa_node(sense, tree):
    make_nodes(tree, (1000, 20, 30, 4))
    tree.write("proc/self/numa_maps", "7f00 default anon=3 N0=3 kernelpagesize_kB=4")
    _, (records,) = sense("sleep", "0.1")
    assert values(records, RESIDENT) and not values(records, ON_NODE) and not values(records, NUMA)


MOVES = """
import os, sys, threading
end = threading.Event()
def move():
    cpus = sorted(os.sched_getaffinity(0))[:2]
    for i in range(201):
        os.sched_setaffinity(0, {cpus[i % len(cpus)]})
    end.wait()
sys.stdin.readline()
threads = [threading.Thread(target=move) for _ in range(3)]
for one in threads:
    one.start()
sys.stdin.readline()
end.set()
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="threads have but one CPU here")
def test_migrations_of_all_threads(watch):
    """Three threads change their CPU 200 times each."""
    watched = watch("/usr/bin/python3", "-c", MOVES, sensors="process")
    before, patience_s = sum(values(watched.records(), MIGRATIONS)), time.monotonic() + 60
    watched.tell("move")
    while sum(values(watched.records(), MIGRATIONS)) - before < 600:
        assert time.monotonic() < patience_s
        time.sleep(0.05)
    _, records = watched.end()
    assert sum(values(records, MIGRATIONS)) - before < 700


LOOKS_UP = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int left = atoi(argv[1]);
    char next[12];
    for (int i = 0; i < 5000; i++) dlsym(RTLD_DEFAULT, "absent");
    if (left == 0) { puts("end"); return 0; }
    snprintf(next, sizeof next, "%d", left - 1);
    execl("/proc/self/exe", argv[0], next, NULL);
    return 1;
}
"""


def test_a_program_that_is_in_the_loader(sense, compile_program):
    """Our thread takes no lock of libc's, which does not know it: each image's calls of the loader end, and so do its readings."""
    looks_up = compile_program(LOOKS_UP, flags=["-D_GNU_SOURCE"], libraries=["-ldl"], name="looks-up")
    result, images = sense(looks_up, 60, sensors="process")
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")
    assert len(images) == 61 and all(values(records, RESIDENT) for records in images)


HUGE_MEMORY = """
import mmap
memory = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_HUGEPAGE)
input()
for at in range(0, len(memory), 4096):
    memory[at] = 1
input()
"""


def test_memory_in_huge_pages(watch):
    watched = watch("/usr/bin/python3", "-c", HUGE_MEMORY, sensors="process")
    before = values(watched.records(), HUGE)
    watched.tell("touch")
    if "[never]" in pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text():
        assert before and not any(before)
        return
    wanted, patience_s = 0, time.monotonic() + 60
    while not wanted or values(watched.records(), HUGE)[-1] != wanted:
        text = pathlib.Path(f"/proc/{watched.program.pid}/smaps_rollup").read_text()
        wanted = 1024 * sum(int(n) for n in re.findall(r"^(?:AnonHuge|.*PmdMapped|.*_Hugetlb).*?(\d+) kB", text, re.M))
        assert time.monotonic() < patience_s
        time.sleep(0.05)
    assert before and before[0] < wanted


@pytest.mark.parametrize("mode, n_images, n_own", [
    ("look", 1, 1), ("pthread_exit", 1, 1), ("raw_exit", 1, 1), ("fork", 2, 2), ("exec", 2, 2), ("exec_fails", 1, 1),
    ("close_all", 1, 1),
])
def test_undisturbed(sense, own_thread, run, mode, n_images, n_own):
    """The program does what it does without us, and every image has what its thread read."""
    alone = run(own_thread, mode)
    result, images = sense(own_thread, mode)
    assert (result.returncode, result.stdout, result.stderr) == (alone.returncode, alone.stdout, alone.stderr)
    assert len(images) == n_images and sum(bool(records) for records in images) == n_own
    for records in images:
        times = [r.time for r in records]
        assert times == sorted(times)
        assert values(records, RESIDENT) and records[-1].kind == THREAD_END


@pytest.mark.parametrize("mode, n_served", [
    ("pthread_exit", 1), ("raw_exit", 1), ("fork", 1), ("exec", 2), ("exec_fails", 1), ("close_all", 1),
])
def test_undisturbed_by_papi(sense, own_thread, run, tree, registers, mode, n_served):
    """The same while PAPI is read by a process beside it, and its counters at the same time."""
    tree.remove_rapl()
    alone = run(own_thread, mode)
    result, images = sense(own_thread, mode, env={**registers.env, "TANDEM_COUNTERS": "PAPI_TOT_INS"})
    assert (result.returncode, result.stdout, result.stderr) == (alone.returncode, alone.stdout, alone.stderr)
    assert sum(bool(values(records, ENERGY + 100)) for records in images) == n_served
    if mode == "exec_fails":
        assert notes(images[0]) == ["sensors (RAPL by PAPI): who read it has ended"]


def test_one_thread_more(sense, own_thread):
    result, _ = sense(own_thread, "tasks")
    assert result.stdout == "2 tasks\ndone, 0\n"
    result, _ = sense(own_thread, "tasks", sensors="none")
    assert result.stdout == "1 tasks\ndone, 0\n"


def test_node_is_passed_on(sense, own_thread, tmp_path):
    """One process reads the node's sensors; when it ends, another that is left does."""
    _, (parent, child) = sense(own_thread, "orphan")
    assert values(parent, PACKAGE) and values(child, PACKAGE)
    last = max(r.time for r in parent if r.kind == EVENT and r.id == PACKAGE)
    assert min(r.time for r in child if r.kind == EVENT and r.id == PACKAGE) > last


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_rights_are_dropped(sense, own_thread):
    """A program that gives up its rights has no thread left that kept them."""
    result, (records,) = sense(own_thread, "drop")
    assert result.returncode == 5
    assert notes(records) == ["sensors are read no more: the program runs as another user now"]


def test_trace(run, tandem, tree, tmp_path):
    """In the trace: no row for our thread, values in the row of the process's first, labels, which CPUs they are of."""
    result = run(tandem, "record", "--sensors", "all", "--sensors-period", "20ms", "-o", "out", "--", "sleep", "0.3",
                 env={"TANDEM_SYSFS_ROOT": tree.root})
    assert "1 process, 1 thread," in result.stderr and result.returncode == 0
    trace = (tmp_path / "out.prv").read_text()
    assert len(re.findall(r"^2:0:1:1:1:\d+:.*92010100:40000\b", trace, re.M)) >= 2
    assert "#tandem:sensor=92010202 1 2\n" in trace and "#tandem:sensor=92010100 1 0-3\n" in trace
    assert "40000003:" not in trace
    labels = (tmp_path / "out.pcf").read_text()
    assert "92012100    Package 0 [µJ] (RAPL, fixture)" in labels
    subprocess.run([tandem, "check", tmp_path / "out.prv"], check=True, capture_output=True)
