# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert: the stacks that it writes are those in the text of the trace, read here once more."""
import collections
import json

import pytest

from samples import FUNCTION, sampled_trace, samples_of  # noqa: F401 (a fixture)


def test_collapsed(run, tandem, sampled_trace):
    expected = collections.Counter()
    for samples in samples_of(sampled_trace).values():
        for stack, weight in samples:
            expected[";".join(name.replace(";", ":") for name in stack)] += 1 if weight is None else weight
    lines = run(tandem, "convert", "--to", "collapsed", sampled_trace, check=True).stdout.splitlines()
    found = dict(line.rsplit(" ", 1) for line in lines)
    assert len(found) == len(lines) and {stack: int(number) for stack, number in found.items()} == expected and len(expected) > 1


def test_speedscope(run, tandem, sampled_trace, tmp_path):
    run(tandem, "convert", "-t", "speedscope", "-o", tmp_path / "out.json", sampled_trace, check=True)
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    names, expected = [frame["name"] for frame in written["shared"]["frames"]], samples_of(sampled_trace)
    assert len(names) == len(set(names)) and len(written["profiles"]) >= len(expected)
    profiles = [profile for profile in written["profiles"] if profile["samples"]]
    assert len({profile["name"] for profile in profiles}) == len(profiles) == len(expected)
    for profile, samples in zip(profiles, (expected[thread] for thread in sorted(expected))):
        assert [[names[at] for at in stack] for stack in profile["samples"]] == [stack for stack, _ in samples]
        weights = [weight or 1 for _, weight in samples]
        assert (profile["type"], profile["weights"], profile["startValue"], profile["endValue"]) == ("sampled", weights, 0, sum(weights))
        assert profile["unit"] == ("none" if samples[0][1] is None else "nanoseconds")


def test_of_some_threads(run, tandem, compile_program, tmp_path):
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", compile_program("sampled_shares"), 3, 100, "user", check=True)
    totals = []
    for rows in ("1.1.1", "1.1.2-3", "1.1.*"):
        lines = run(tandem, "convert", "--to", "collapsed", "--rows", rows, "app.prv", check=True).stdout.splitlines()
        totals.append(sum(int(line.rsplit(" ", 1)[1]) for line in lines))
    assert totals[0] > 0 and totals[1] > totals[0] and totals[2] == totals[0] + totals[1]


@pytest.mark.parametrize("words, status, sentence", [
    (["app.prv"], 2, 'tandem: convert: --to: got "", takes collapsed, speedscope, pprof, chrome, perfetto, csv or otf2'),
    (["--to", "svg", "app.prv"], 2, 'tandem: convert: --to: got "svg", takes collapsed, speedscope, pprof, chrome, perfetto, csv or otf2'),
    (["--to", "collapsed"], 2, "tandem: convert: takes one trace (see `tandem convert --help`)"),
    (["--to", "collapsed", "nope.prv"], 1, "tandem: nope.prv: No such file or directory"),
    (["--to", "collapsed", "--rows", "7.7", "app.prv"], 2, "tandem: convert: --rows: "),
    (["--to", "collapsed", "-o", "no/where", "app.prv"], 1, "tandem: no/where: No such file or directory"),
    (["--to", "collapsed", "none.prv"], 1, "tandem: none.prv: the trace has no samples (tandem record --sampling-period)"),
])
def test_what_is_wrong_is_said(run, tandem, tmp_path, words, status, sentence):
    header, row = "#Paraver (01/01/2026 at 00:00):1000_ns:1(1):1:1(1:1)\n", "2:1:1:1:1:10:{}:1\n"
    (tmp_path / "app.prv").write_text(header + row.format(FUNCTION))
    (tmp_path / "none.prv").write_text(header + row.format(7))
    result = run(tandem, "convert", *words)
    assert (result.returncode, result.stdout) == (status, "") and result.stderr.startswith(sentence), result.stderr
