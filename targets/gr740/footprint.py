#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how much memory a program on the board has more because it is linked with tandem, and fails if the code is too much.

    footprint.py OUTPUT --compiler CC --library LIBRARY --flags TANDEM-WRAP-FLAGS --root DIRECTORY --most BYTES PROGRAM.c

Links the program, which has tasks of OpenMP, and adds up what the linker's map says is of the library. Buffers are not code: they
are what the pool is for.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = {"text": r"\.text|\.rodata|\.init|\.fini", "data": r"\.data|tnd_sources|\.tdata", "bss": r"\.bss|\.tbss|COMMON"}
PLACE = re.compile(r"^ (\.?\w[\w.]*|COMMON)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) \S*libtandem-gr740\.a\((\w+)\.o\)", re.M)


def words():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("output", "program"):
        parser.add_argument(name, type=pathlib.Path)
    for name in ("compiler", "library", "flags", "root"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--most", type=int, required=True)
    return parser.parse_args()


def sizes_of(arguments):
    flags = subprocess.run([arguments.flags], capture_output=True, text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([arguments.compiler, "-m32", "-O2", "-fopenmp", "-static", "-fno-pic", "-fno-pie", f"-I{arguments.root}",
                        arguments.program, "-o", f"{directory}/program", *flags, "-Wl,--gc-sections", f"-Wl,-Map={directory}/map",
                        arguments.library, "-lm"], check=True, stderr=subprocess.DEVNULL)
        text = pathlib.Path(directory, "map").read_text(encoding="utf-8")
    text = re.sub(r"\n\s+(0x[0-9a-f]+\s+0x[0-9a-f]+ )", r" \1", text[text.index("Linker script and memory map"):])
    sizes = collections.Counter()
    for section, size, member in PLACE.findall(text):
        kind = next((kind for kind, pattern in KINDS.items() if re.match(pattern, section)), None)
        if kind and member != "board_pool":
            sizes[kind] += int(size, 16)
    return sizes


def main():
    arguments = words()
    sizes = sizes_of(arguments)
    said = (f"libtandem-gr740.a in {arguments.program.stem}: text {sizes['text']} bytes (at most {arguments.most}), data {sizes['data']}, "
            f"bss {sizes['bss']}; of the pool, a thread takes 68 KiB, or 88 KiB with samples, at TANDEM_BUFFER=64k")
    print(said)
    arguments.output.write_text(said + "\n", encoding="utf-8")
    if not 0 < sizes["text"] <= arguments.most:
        sys.exit("footprint: the code is larger than it may be")


main()
