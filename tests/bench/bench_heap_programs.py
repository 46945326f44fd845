#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_heap_programs.py TANDEM LIBTANDEM LIBTANDEM-HEAP: what each choice of --heap adds to the CPU time of programs of Debian's that
allocate much, beside the recorder without it and heaptrack, if that is installed.  Ways take turns; each figure is the least of
some turns, and the median of turns' ratios.  The merge afterwards is not in it.
"""
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

TURNS = 7
SQL = """create table t(id integer primary key, name text, size real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)
insert into t select i, 'name ' || (i * 7919 % 300000), i / 3.0 from n;
create index by_name on t(name);
select count(*), sum(length(name)), group_concat(substr(name, 1, 6)) from t where name like '%9%' group by id % 100;
"""
JSON = """import json
data = [{"name": f"name {i}", "list": list(range(i % 20)), "size": i / 3} for i in range(15000)]
for _ in range(4):
    data = json.loads(json.dumps(data))
"""
HEAPTRACK = pathlib.Path("/usr/lib/heaptrack/libheaptrack_preload.so")
PROGRAMS = {
    "sqlite3": (["sqlite3", ":memory:"], SQL, {}),
    "python3, objects by malloc": (["/usr/bin/python3", "-S", "-"], JSON, {"PYTHONMALLOC": "malloc"}),
}


def measure(command, text, environment):
    """CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text.encode(), env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count(tandem, directory, command, text, environment):
    """Its allocations."""
    output = f"{directory}/count.prv"
    subprocess.run([tandem, "record", "--force", "--heap", "values", "-o", output, "--", *command], input=text.encode(), check=True,
                   env=environment, capture_output=True)
    return sum(int(n) for n in re.findall(r":92020001:(\d+)", pathlib.Path(output).read_text()))


def main(tandem, libtandem, with_heap):
    ways = {"native": {}, "no heap": {"LD_PRELOAD": libtandem}}
    ways.update({way: {"LD_PRELOAD": with_heap, "TANDEM_HEAP": way} for way in ("values", "sites", "leaks", "calls")})
    if HEAPTRACK.exists():
        ways["heaptrack"] = {"LD_PRELOAD": str(HEAPTRACK), "DUMP_HEAPTRACK_OUTPUT": "/dev/null"}
    for name, (command, text, environment) in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as directory:
            common = {**os.environ, **environment, "TANDEM_MERGE": "0"}
            n = count(tandem, directory, command, text, {**os.environ, **environment})
            taken_s = {way: [] for way in ways}
            for turn in range(TURNS):
                for way, settings in ways.items():
                    made = {**common, **settings, "TANDEM_OUTPUT": f"{directory}/{turn}.{way}"}
                    taken_s[way].append(measure(command, text, made))
        print(f"{name}: {n} allocations, {min(taken_s['native']):.3f} s of CPU time by itself")
        for way in list(ways)[1:]:
            ratio = statistics.median(s / alone for s, alone in zip(taken_s[way], taken_s["native"]))
            more_ns = 1e9 * (min(taken_s[way]) - min(taken_s["native"])) / n
            print(f"  {way:<10} {100 * (min(taken_s[way]) / min(taken_s['native']) - 1):6.1f} % more (median "
                  f"{100 * (ratio - 1):.1f}), {more_ns:.0f} ns an allocation")


main(*sys.argv[1:])
