# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the board may ask for: its compiler and the emulators, or a skip that says what is missing."""
import shutil
import subprocess

import pytest

COMPILER, USER, SYSTEM = "sparc64-linux-gnu-gcc", "qemu-sparc32plus", "qemu-system-sparc"
CODE = ["-m32", "-O2", "-g", "-fno-pic", "-fno-pie"]


def needed(*commands):
    for command in commands:
        if not shutil.which(command):
            pytest.skip(f"{command} is not installed: ./dev setup")


@pytest.fixture(scope="session")
def board_dir(build_dir):
    """Where the build puts the board's library."""
    needed(COMPILER)
    directory = build_dir / "targets" / "gr740"
    if not (directory / "libtandem-sparc32plus.a").exists():
        pytest.skip(f"{COMPILER} cannot compile for 32 bits (-m32): ./dev setup")
    return directory


@pytest.fixture(scope="session")
def link_board(root, build_dir, board_dir, tmp_path_factory):
    """link_board(source, *flags, wraps=()) -> a static big-endian program of 32 bits with tandem in it."""
    needed(USER)
    directory = tmp_path_factory.mktemp("board")
    made = {}

    def link(source, *flags, wraps=()):
        key = (str(source), flags, tuple(wraps))
        if key not in made:
            program = directory / f"{len(made)}" / source.stem
            program.parent.mkdir()
            printed = subprocess.run([board_dir / "tandem-wrap-flags", *wraps], capture_output=True, text=True, check=True)
            command = [COMPILER, *CODE, "-fopenmp", "-static", f"-I{root}", f"-I{root / 'runtime'}", f"-I{root / 'targets/gr740'}",
                       *flags, source, "-o", program, *printed.stdout.split(), "-Wl,--gc-sections",
                       board_dir / "libtandem-sparc32plus.a", "-lm"]
            done = subprocess.run([str(word) for word in command], stderr=subprocess.PIPE, text=True)
            assert done.returncode == 0, done.stderr
            made[key] = program
        return made[key]

    return link
