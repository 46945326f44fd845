# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command of docs/tutorial.md works, in its order, and the change in it balances the demo."""
import csv
import re
import sys


def useful_ns(run, tandem, trace):
    """The computing time of each rank between MPI calls, by the bursts themselves."""
    text = run(tandem, "timeline", trace, "--view", "useful-duration", "--csv", "-", check=True).stdout
    times = {}
    for row in csv.DictReader(text.splitlines()):
        if float(row["value"]) > 0:
            times[row["row"]] = times.get(row["row"], 0) + float(row["duration [ns]"])
    return list(times.values())


def test_the_tutorial_does_what_it_says(root, build_dir, run, tandem, tmp_path):
    path = {"PATH": f"{build_dir / 'cli'}:{build_dir / 'viewer'}:/usr/local/bin:/usr/bin:/bin", "DISPLAY": None, "WAYLAND_DISPLAY": None}
    out = tmp_path / "out"
    said = run(sys.executable, root / "docs" / "tutorial.py", out, env=path, timeout=400, check=True).stdout
    results = re.findall(r"200 steps: (heat .*)", said)
    assert len(results) == 9 and len(set(results)) == 1
    assert results[0] in " ".join((root / "docs" / "tutorial.md").read_text().split())
    assert "radiate < advance < main" in said and "Efficiency (POP" in said
    for name in ("before.png", "after.png"):
        assert (out / name).read_bytes().startswith(b"\x89PNG"), name
    balance = {}
    for name in ("before", "after"):
        runs = [useful_ns(run, tandem, out / f"{name}{number}.prv") for number in (1, 2, 3)]
        assert all(len(ranks) == 2 for ranks in runs)
        balance[name] = sorted(sum(ranks) / len(ranks) / max(ranks) for ranks in runs)[1]
    assert balance["before"] < 0.85 and balance["after"] > balance["before"] + 0.05, balance


def test_the_page_shows_the_patch_that_there_is(root):
    shown = re.search(r"^```diff\n(.*?)^```$", (root / "docs" / "tutorial.md").read_text(), re.M | re.S)[1]
    assert shown == (root / "demo" / "balance.patch").read_text()


def test_a_command_that_fails_ends_it(root, run, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / "demo").mkdir()
    (docs / "tutorial.py").write_text((root / "docs" / "tutorial.py").read_text())
    (docs / "tutorial.md").write_text("```sh\necho one\nfalse\n```\n```sh\necho two\n```\n")
    result = run(sys.executable, docs / "tutorial.py", tmp_path / "out")
    assert result.returncode == 1 and "\none\n" in result.stdout and "\ntwo\n" not in result.stdout
