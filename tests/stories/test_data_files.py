# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tools do with files that are not what they seem: headers that claim more than there is, names that are
something else than a file, outputs whose name is taken."""
import os
import resource
import subprocess

import pytest

HEADER = "#Paraver (01/01/2026 at 00:00):1000_ns:"


def measured(*command, **options):
    """(exit status, stdout, stderr, the most memory in MB) of a command that may have 6 GB of address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, preexec_fn=limit, **options) as process:
        out, err = process.communicate()
        # Popen has waited; the most memory is that of all children so far, each smaller than the next one allowed.
        return process.returncode, out, err, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


@pytest.mark.parametrize("objects", ["1(1):1:1(2000000:1)", "16000000:1:1(1:1)", "16000000:1:1(2000000:16000000)"])
def test_claims_of_a_header_take_no_memory(tandem, tview, tmp_path, objects):
    """Threads and nodes that a header tells of, and no record, take little; what would take a row of a table or of a
    picture each is refused with a sentence."""
    trace = tmp_path / "claims.prv"
    trace.write_text(f"{HEADER}{objects}\n1:0:1:1:1:0:1000:1\n")
    status, out, err, peak_mb = measured(tandem, "stat", trace)
    assert (status, err) == (0, "") and "THREAD 1.1.1 " in out and peak_mb < 700
    status, out, err, peak_mb = measured(tandem, "timeline", trace, "--rows", "1.1.1", "--csv", "-")
    assert (status, err) == (0, "") and len(out.splitlines()) == 2 and peak_mb < 700
    if "2000000" not in objects:
        return
    status, out, err, peak_mb = measured(tandem, "histogram", trace)
    assert (status, out) == (1, "") and "so many rows" in err and len(err.splitlines()) == 1 and peak_mb < 700
    status, out, err, peak_mb = measured(tandem, "histogram", trace, "--rows", "1.1.1")
    assert (status, err) == (0, "") and "over 1 thread" in out and peak_mb < 700
    status, out, err, peak_mb = measured(tview, trace, "--export", tmp_path / "all.png")
    assert (status, out) == (1, "") and "choose some of them (--rows)" in err and peak_mb < 700
    status, out, err, peak_mb = measured(tview, trace, "--rows", "1-9", "--export", tmp_path / "some.png")
    assert (status, out, err) == (0, "", "") and peak_mb < 700


def make_other(path, kind):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_files_beside_a_trace_that_are_none(run, tandem, tview, tmp_path, kind):
    """A pipe, a directory or a device with the name of a file that belongs to a trace is not read, nor waited for."""
    trace = tmp_path / "app.prv"
    trace.write_text(f"{HEADER}1(1):1:1(1:1)\n1:1:1:1:1:0:1000:1\n")
    for ending in ("pcf", "row", "prv.tvx"):
        make_other(tmp_path / f"app.{ending}", kind)
    for words in ([tandem, "stat", trace], [tandem, "check", trace], [tview, trace, "--export", tmp_path / "app.png"],
                  [tandem, "filter", trace, "--states", "1", "-o", tmp_path / "new.prv"]):
        result = run(*words, timeout=20)
        assert result.returncode in (0, 1), result.stderr
        assert words[1] == "filter" or result.returncode == 0
