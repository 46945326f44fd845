#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the figures 3 to 8 and table 1 that were published for a GR740 (ICPP 2020), of runs under emulation: pictures and CSV.

    figures.py --build BUILD DIRECTORY [FIGURE...]

Figures are figure-3, figure-4, figure-5, figure-6, figure-7, figure-8a, figure-8b and table-1; without any, all are made. The title of
each picture says which emulation it is of. Temperature, power and the use of the bus are those of models (rtems/rtems_machine.c).
"""
import argparse
import csv
import io
import os
import pathlib
import subprocess
import sys

from board import call, link

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE, PROGRAMS = ROOT / "tests" / "gr740", ROOT / "tests" / "stories" / "programs"
EMULATED, MODELLED = "qemu-sparc32plus", "qemu-sparc32plus, models of RTEMS and chip"
OPENMP = {"OMP_NUM_THREADS": "4", "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "256k"}
SENSED = {"SAMPLING_PERIOD": "2ms", "TANDEM_BUFFER": "1M", "TANDEM_STACK": "1", "TANDEM_HEAP": "calls", "TANDEM_HEAP_THRESHOLD": "4k",
          "TANDEM_HEAP_PERIOD": "1ms", "TANDEM_SENSORS": "temperature,power", "TANDEM_SENSORS_PERIOD": "5ms"}
BUS = {"TANDEM_BUFFER": "1M", "TANDEM_COUNTERS": "cycles,ahb", "TANDEM_COUNTERS_AT": "samples"}

IMAGES = ("16", "1024")

# Name of the trace: program, its arguments, whether on the models, settings.
RUNS = {
    f"LU-for ({MODELLED})": (PROGRAMS / "lu_for.c", ("7", "64", "sparse"), True, SENSED),
    f"LU-tasks ({EMULATED})": (PROGRAMS / "lu_tasks.c", ("5", "64", "sparse"), False, {}),
    f"Images, sampled at 10 ms ({MODELLED})": (HERE / "image_pipeline.c", IMAGES, True, {**BUS, "SAMPLING_PERIOD": "10ms"}),
    f"Images, sampled at 250 ms ({MODELLED})": (HERE / "image_pipeline.c", IMAGES, True, {**BUS, "SAMPLING_PERIOD": "250ms"}),
}
LU_FOR, LU_TASKS, IMAGES_10, IMAGES_250 = RUNS

# Of which run; the views, one below the other; options of tview.
TIMELINES = {
    "figure-3": (LU_FOR, ("state", "stack", "heap-calls", "heap-used"), ("--size", "1200x900", "--draw-mode", "maximum")),
    "figure-4": (LU_FOR, ("openmp-worksharing", "temperature"), ("--size", "1200x560")),
    "figure-5": (LU_FOR, ("useful-duration", "power"), ("--size", "1200x560")),
    "figure-7": (LU_TASKS, ("openmp-tasks",), ("--size", "1200x420", "--messages")),
    "figure-8a": (IMAGES_10, ("ahb-use", "openmp-regions"), ("--size", "1200x560", "--no-messages")),
    "figure-8b": (IMAGES_250, ("ahb-use", "openmp-regions"), ("--size", "1200x560", "--no-messages")),
}
OTHERS = {"figure-6": LU_TASKS, "table-1": LU_FOR}


class Figures:
    """The figures of one directory; each run is made once."""

    def __init__(self, build, directory):
        self.build, self.directory = build, directory
        self.tandem, self.tview = build / "cli" / "tandem", build / "viewer" / "tview"

    def trace(self, name):
        prv = self.directory / f"{name}.prv"
        if prv.exists():
            return prv
        source, arguments, is_modelled, settings = RUNS[name]
        place = self.directory / f"{source.stem}-{'modelled' if is_modelled else 'emulated'}"
        program, pieces = place / source.stem, self.directory / f"{name}.pieces"
        if not program.exists():
            place.mkdir()
            more = (HERE / "rtems" / "rtems_machine.c",) if is_modelled else ()
            link(ROOT, self.build, program, source, *more, wraps=("--heap",) if is_modelled else (), model=is_modelled)
        environment = {**os.environ, **OPENMP, **settings, "TANDEM_PROGRAM": source.stem, "TANDEM_OUTPUT": str(pieces)}
        subprocess.run(["qemu-sparc32plus", program, *arguments], env=environment, check=True, timeout=60, stdout=subprocess.DEVNULL)
        call(self.tandem, "merge", "-o", prv, "--binary", program, pieces)
        return prv

    def parallel_part(self, prv):
        """From the first region's begin to the last one's end: what comes after is the check of the result."""
        text = call(self.tandem, "timeline", prv, "--view", "openmp-regions", "--csv", "-")
        inside = [[float(cell) for cell in burst[1:4]] for burst in list(csv.reader(io.StringIO(text)))[1:] if float(burst[3])]
        return int(min(begin for begin, *_ in inside)), int(max(begin + length for begin, length, _ in inside))

    def timeline(self, figure):
        name, views, options = TIMELINES[figure]
        prv = self.trace(name)
        begin, end = self.parallel_part(prv)
        shown = [word for view in views for word in ("--view", view)]
        call(self.tview, prv, *shown, "--begin", f"{begin}ns", "--end", f"{end}ns", "--fit-scale", *options,
             "--export", self.directory / f"{figure}.png")
        for view in views:
            text = call(self.tandem, "timeline", prv, "--view", view, "--csv", "-")
            (self.directory / f"{figure}-{view}.csv").write_text(text, encoding="utf-8")

    def table_1(self):
        prv = self.trace(LU_FOR)
        begin, end = self.parallel_part(prv)
        part = ("--begin", f"{begin}ns", "--end", f"{end}ns")
        call(self.tandem, "histogram", prv, "--view", "cpu-use", "--statistic", "time-percent", *part,
             "--csv", self.directory / "table-1.csv")
        call(self.tview, prv, "--view", "cpu-use", "--histogram", "time-percent", *part, "--size", "900x260",
             "--export", self.directory / "table-1.png")

    def figure_6(self):
        prv = self.trace(LU_TASKS)
        graph, picture = self.directory / "figure-6.dot", self.directory / "figure-6.png"
        report = call(self.tandem, "tasks", prv, "--dot", graph)
        subprocess.run(["dot", "-Tpng", f"-Glabel=Tasks and their dependences — {LU_TASKS}", "-Glabelloc=t", "-Gfontname=sans",
                        "-Gdpi=60", "-Nfontname=sans", "-o", picture, graph], check=True)
        lines = [line.split()[:2] for line in report.splitlines()]
        with (self.directory / "figure-6.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["figure", "value"], *(line for line in lines if len(line) == 2 and line[1].isdigit())])

    def make(self, figure):
        if figure in TIMELINES:
            self.timeline(figure)
        else:
            {"figure-6": self.figure_6, "table-1": self.table_1}[figure]()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", choices=[[], *TIMELINES, *OTHERS])
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    figures = Figures(arguments.build.resolve(), arguments.directory.resolve())
    try:
        for figure in arguments.figures or [*TIMELINES, *OTHERS]:
            print(f"{arguments.directory / figure}", file=sys.stderr)
            figures.make(figure)
    except (AssertionError, OSError, subprocess.SubprocessError) as failed:
        sys.exit(f"figures.py: {failed}")


if __name__ == "__main__":
    main()
