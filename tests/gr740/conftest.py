# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the board may ask for: its compiler and the emulators, or a skip that says what is missing."""
import pytest

from board import COMPILER, USER, link, needed


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
    """link_board(source, *flags, wraps=(), model=False) -> a program with tandem in it (board.link)."""
    needed(USER)
    directory = tmp_path_factory.mktemp("board")
    made = {}

    def link_one(source, *flags, wraps=(), model=False):
        key = (str(source), flags, tuple(wraps), model)
        if key not in made:
            program = directory / f"{len(made)}" / source.stem
            program.parent.mkdir()
            link(root, build_dir, program, source, *flags, wraps=wraps, model=model)
            made[key] = program
        return made[key]

    return link_one
