# SPDX-License-Identifier: GPL-3.0-or-later
"""What tview saves as a configuration has the values of what it shows, and only keys that Paraver's own files have."""
import re

import resident
from answers import TRACES, answers, paravers

# Of these views Paraver has no function, or not tandem's rows of processes and nodes.
TANDEMS_OWN = re.compile(r"is computed in a way that Paraver does not have, so that no \.cfg can say it; a session keeps it$")


def checked(*words):
    done = resident.run(*words)
    assert (done.returncode, done.stderr) == (0, ""), (words, done.stderr)
    return done.stdout


def keys_of(text):
    return set(re.findall(r"^(\w+) ", text, re.M))


def values(tandem, trace, *words):
    """Bursts without labels, which a view's definition may add."""
    return [line.split(",")[:4] for line in checked(tandem, "timeline", trace, *words).splitlines()[1:]]


def test_windows_of_paraver(tview, tandem, answers, tmp_path):
    """Derived windows with the windows that they are made of, filters, parameters and levels."""
    saved, keys, texts = tmp_path / "saved.cfg", set(), list(paravers(answers, ".txt.csv"))
    theirs = set().union(*(keys_of(cfg.read_text()) for cfg in (answers / "cfgs").glob("*.cfg")))
    for trace, cfg, _ in texts:
        checked(tview, trace, "--cfg", cfg, "--export", saved)
        whole = "--begin", "0ns"
        assert values(tandem, trace, "--view", saved, *whole) == values(tandem, trace, "--view", cfg, *whole), (trace, cfg)
        keys |= keys_of(saved.read_text())
    assert len(texts) > 100 and keys - theirs <= {"window_intracomms_enabled", "window_intercomms_enabled", "window_zoom_objects"}


def test_views(tview, tandem, tmp_path):
    """Of all views that a trace has something of: the same values, or a sentence."""
    saved, seen, refused = tmp_path / "saved.cfg", set(), set()
    for trace in sorted(TRACES.glob("*/*.prv")):
        listed = checked(tview, trace, "--list-views")
        for view in re.findall(r"^([a-z][a-z0-9-]+)  ", listed, re.M):
            done = resident.run(tview, trace, "--view", view, "--export", saved)
            if done.returncode:
                assert TANDEMS_OWN.search(done.stderr.strip()) or "has nothing to show" in done.stderr, (trace, view, done.stderr)
                refused.add(view) if TANDEMS_OWN.search(done.stderr.strip()) else None
                continue
            assert values(tandem, trace, "--view", saved) == values(tandem, trace, "--view", view), (trace, view)
            seen.add(view)
    assert {"state", "useful-duration", "mpi-calls", "counter", "heap-calls"} <= seen | refused and len(seen) > 15, (seen, refused)
    assert {"state", "useful-duration", "mpi-calls", "counter"} <= seen and {"sampled-functions", "parallelism"} <= refused, (seen, refused)


def test_what_is_shown(tview, tandem, tmp_path):
    """The stretch of time, the rows, the limits and several timelines."""
    (trace,) = (TRACES / "synthetic-16").glob("*.prv")
    saved = tmp_path / "saved.cfg"
    checked(tview, trace, "--view", "useful-duration", "--view", "state", "--begin", "10us", "--end", "30us", "--rows", "2-4,7",
            "--limits", "5us-20us", "--export", saved)
    text = saved.read_text()
    assert "NumWindows: 2\n" in text and re.findall(r"^window_name (.*)$", text, re.M) == ["Useful duration", "State"]
    end_ns = int(re.search(r"\):(\d+)", trace.read_text().split("\n", 1)[0])[1])
    for key, time in (("window_begin_time_relative", 10000), ("window_end_time_relative", 30000)):
        assert [round(float(share) * end_ns) for share in re.findall(rf"^{key} (.*)$", text, re.M)] == [time, time]
    assert [float(limit) for limit in re.findall(r"^window_m\w+imum_y (.*)$", text, re.M)][:2] == [20000, 5000]
    shown = [i for i, word in enumerate(" ".join(re.findall(r"^window_object thread \{ \d+, \d+, \d+, \{ (.*) \} \}$", text.split("NEW DISP")[1], re.M)).split())
             if word.startswith("All")]
    assert shown == [1, 2, 3, 6]
    again = checked(tview, trace, "--cfg", saved, "--csv", "-")
    assert len(again.splitlines()) >= 4


def test_flags_and_messages(tview, tmp_path):
    """They are said as Paraver says them, and come back; what the command line says counts more."""
    (trace,) = (TRACES / "synthetic-16").glob("*.prv")
    saved, again = tmp_path / "saved.cfg", tmp_path / "again.cfg"
    said = lambda cfg: re.findall(r"^window_(?:comm_lines|flags)_enabled (.*)$", cfg.read_text(), re.M)
    for words, told in (([], ["true", "false"]), (["--flags"], ["true", "true"]), (["--no-messages"], ["false", "false"]),
                        (["--flags", "--no-messages"], ["false", "true"])):
        checked(tview, trace, "--view", "state", *words, "--export", saved)
        checked(tview, trace, "--cfg", saved, "--export", again)
        assert said(saved) == said(again) == told
    checked(tview, trace, "--cfg", saved, "--messages", "--export", again)
    assert said(again) == ["true", "true"]


def test_what_cannot_be_saved(tview, tmp_path):
    (trace,) = (TRACES / "synthetic-16").glob("*.prv")
    done = resident.run(tview, trace, "--histogram", "time", "--export", tmp_path / "a.cfg")
    assert done.returncode == 2 and "timelines can be saved as .cfg" in done.stderr and not (tmp_path / "a.cfg").exists()
    done = resident.run(tview, trace, "--export", tmp_path / "nowhere" / "a.cfg")
    assert done.returncode == 1 and "nowhere/a.cfg" in done.stderr
