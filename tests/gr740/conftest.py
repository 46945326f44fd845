# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the board may ask for: its compiler and the emulators, or a skip that says what is missing."""
import subprocess

import pytest

from board import CODE, COMPILER, USER, needed


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
