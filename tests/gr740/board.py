# SPDX-License-Identifier: GPL-3.0-or-later
"""The board's compiler and emulators, and how a program for them is made."""
import shutil
import subprocess

import pytest

COMPILER, USER, SYSTEM = "sparc64-linux-gnu-gcc", "qemu-sparc32plus", "qemu-system-sparc"
CODE = ["-m32", "-mno-v8plus", "-O2", "-g", "-fno-pic", "-fno-pie"]


def needed(*commands):
    for command in commands:
        if not shutil.which(command):
            pytest.skip(f"{command} is not installed: ./dev setup")


def call(*command):
    """What a command printed; its messages if it failed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command[0]}: {done.stderr}")
    return done.stdout


def link(root, build_dir, program, *words, wraps=(), model=False):
    """Makes a static big-endian program of 32 bits with tandem in it, of sources and flags; with the models of RTEMS and of the
    chip, too, if it is asked for."""
    board, here = build_dir / "targets" / "gr740", root / "tests" / "gr740"
    compile_ = [COMPILER, *CODE, "-D_GNU_SOURCE", f"-I{root}", f"-I{root / 'runtime'}", f"-I{root / 'targets/gr740'}"]
    if model:
        compile_ += ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", f"-I{here / 'rtems'}", f"-I{build_dir}",
                     f"-I{build_dir / 'formats'}"]
        made = program.parent / "board_rtems.o"
        call(*compile_, "-DTND_BOARD", "-mno-fpu", "-c", root / "targets/gr740/board_rtems.c", "-o", made)
        words += (made, here / "rtems/rtems_model.c", here / "plain_string.c", here / "registers_model.c")
    flags = call(board / "tandem-wrap-flags", *wraps).split()
    call(*compile_, "-fopenmp", "-static", *words, "-o", program, *flags, "-Wl,--gc-sections", "-Wl,--start-group",
         board / "libtandem-sparc32plus.a", "-lgomp", "-lc", "-Wl,--end-group", "-lm")
    return program
