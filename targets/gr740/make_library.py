#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the runtime for a board, with a cross compiler, into a static library.

    make_library.py LIBRARY --depfile FILE --wraps DIRECTORY --include DIRECTORY... --flags "..." --compiler CC SOURCE...

One object a source, and one for each wrapped call.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

# Interrupts, and tasks of RTEMS that have no floating point, must not use its registers.  These compute, outside of both.
WITH_FPU = ("value", "heap_self", "power_model", "board_power")

# On the path of a record: compiled for speed, everything else for size.
HOT = ("clock", "emit", "heap_calls", "openmp_self", "thread", "user")


def words():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="")
    parser.add_argument("--depfile", type=pathlib.Path, required=True)
    parser.add_argument("--wraps", type=pathlib.Path, required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def compile_one(arguments, source, target, rules):
    command = [arguments.compiler, *arguments.flags.split(), *(f"-I{path}" for path in arguments.include)]
    command += ["-O2" if source.stem in HOT else "-Os"]
    command += [] if source.stem in WITH_FPU else ["-mno-fpu"]
    if "intercept" in source.parts or source.stem in ("gomp_wrappers", "board_heap"):
        command += ["-include", arguments.wraps / "wraps.h"]
    subprocess.run([*command, "-MD", "-MF", rules, "-c", source, "-o", target], check=True)


def assemble(arguments, sources, directory):
    """All by one compiler driver, which names each object after its source."""
    subprocess.run([arguments.compiler, *arguments.flags.split(), "-c", *map(pathlib.Path.absolute, sources)], cwd=directory, check=True)


def prerequisites(rules):
    text = rules.read_text(encoding="utf-8").replace("\\\n", " ")
    return text.split(":", 1)[1].split()


def make(arguments, directory):
    sources = [*arguments.sources, arguments.wraps / "wraps.c"]
    compiled = [(source, directory / f"{source.stem}.o", directory / f"{source.stem}.d") for source in sources]
    stubs = sorted((arguments.wraps / "wraps").glob("*.s"))
    of_stubs = directory / "wraps"
    of_stubs.mkdir()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(compile_one, arguments, *one) for one in compiled]
        assemble(arguments, stubs, of_stubs)
        for job in jobs:
            job.result()
    arguments.library.unlink(missing_ok=True)
    objects = [target for _, target, _ in compiled] + [of_stubs / f"{stub.stem}.o" for stub in stubs]
    subprocess.run([arguments.compiler.removesuffix("gcc") + "ar", "rcsD", arguments.library, *objects], check=True)
    needed = sorted({name for *_, rules in compiled for name in prerequisites(rules)})
    arguments.depfile.write_text(f"{arguments.library}: {' '.join(needed)}\n", encoding="utf-8")


def main():
    arguments = words()
    with tempfile.TemporaryDirectory() as directory:
        try:
            make(arguments, pathlib.Path(directory))
        except subprocess.CalledProcessError as failed:
            sys.exit(f"{arguments.library.name}: {failed}")


main()
