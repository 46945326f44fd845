# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes, what they get and what they started."""
import contextlib
import os
import pathlib
import signal


def clean_environment():
    """This process's, without what would change the behaviour of tandem or of Open MPI, and without MALLOC_PERTURB_, which Meson
    sets and users do not: programs and libraries of others die of it, and half of all page faults were to fill large blocks.  The
    tests in C have it, and a sanitizer fills the first 4 KiB of a block."""
    ours = "TANDEM_", "SAMPLING_", "OMPI_", "PMIX_", "PRTE_", "MALLOC_PERTURB_"
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


def unfinished(directory):
    """The sizes of the traces that processes are making in a directory, of which none has its name yet."""
    sizes = []
    for link in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            name = os.readlink(link)
            if name.startswith((f"{directory}/#", f"{directory}/.")) and os.path.isfile(link):
                sizes.append(os.stat(link).st_size)
    return sizes
