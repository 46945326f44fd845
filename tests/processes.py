# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes, what they get and what they started."""
import os
import pathlib
import signal


def clean_environment():
    """This process's, without what would change the behaviour of tandem or of Open MPI."""
    ours = "TANDEM_", "SAMPLING_", "OMPI_", "PMIX_", "PRTE_"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours) and name != "LD_PRELOAD"}
    return {**kept, "LC_ALL": "C.UTF-8"}


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
