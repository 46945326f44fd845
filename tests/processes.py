# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes and what they started."""
import os
import pathlib
import signal


def children(pid):
    """As far as they live."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, path.read_text().split())
        except OSError:
            continue  # it has ended
    return found


def descendants(pid):
    """It and all that it started."""
    found = [pid]
    for parent in found:
        found += children(parent)
    return found


def kill_with_descendants(pid):
    """What a launcher that hangs started would take the processors from all that comes after."""
    for process in descendants(pid):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
