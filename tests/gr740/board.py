# SPDX-License-Identifier: GPL-3.0-or-later
"""The board's compiler and emulators."""
import shutil

import pytest

COMPILER, USER, SYSTEM = "sparc64-linux-gnu-gcc", "qemu-sparc32plus", "qemu-system-sparc"
CODE = ["-m32", "-O2", "-g", "-fno-pic", "-fno-pie"]


def needed(*commands):
    for command in commands:
        if not shutil.which(command):
            pytest.skip(f"{command} is not installed: ./dev setup")
