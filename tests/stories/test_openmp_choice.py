# SPDX-License-Identifier: GPL-3.0-or-later
"""`--openmp-functions` and `--openmp-exclude`: what is left out is missing, and nothing else is."""
import collections

import pytest

import streams

THREADS, TASK, CODE = 3, 64, 23
FULFIL, DEPEND = 6, 1
# Constructs, and the event types that are theirs; records of tasks have no type, and are called so.
CONSTRUCTS = {
    "worksharing": {60000002, 92000020, 92000021, 92000022},
    "chunk": {92000022},
    "join": {60000016},
    "barrier": {60000005},
    "lock": {60000006, 60000007, 60000032},
    "ordered": {60000033},
    "task": {"task", 60000024, 60000029, 92000025},
    "taskwait": {60000022},
    "taskgroup": {60000025, 60000027},
    "taskyield": set(),
    "target": {60000034},
    "num_threads": {60000030},
}
REGIONS = {60000001, 60000018}  # always recorded; so is the workers' time between them, more or less often


@pytest.fixture(scope="module", params=["gcc", "clang"])
def program(request, compile_program):
    return compile_program("openmp_known", flags=("-fopenmp",), compiler=request.param)


@pytest.fixture
def record(run, tandem, tmp_path, program):
    """record(options...) -> {event type or "task": records}, the answer, and the notes"""

    def record_choice(*options):
        words = ["--sampling-period=0", "--keep", "--force", "-o", "out.prv", *options]
        told = run(tandem, "record", *words, "--", program, THREADS, env={"OMP_WAIT_POLICY": "passive"}, check=True)
        run(tandem, "check", "out.prv", check=True)
        counts = collections.Counter()
        for ring in streams.rings(tmp_path / "out.tandem"):
            for r in streams.read_stream(ring):
                if r.kind in (streams.ENTER, streams.LEAVE, streams.EVENT, CODE):
                    counts[r.id] += 1
                elif r.kind == TASK and r.aux not in (FULFIL, DEPEND):
                    counts["task"] += 1
        ours = set().union(REGIONS, *CONSTRUCTS.values())
        notes = [line for line in (tmp_path / "out.prv").read_text().splitlines() if line.startswith("#tandem:note=openmp")]
        return {type_: n for type_, n in counts.items() if type_ in ours}, told.stdout, notes

    return record_choice


def vague(counts):
    """Without what depends on who comes first: how often a thread asks for chunks in vain, and suspended tasks."""
    return {type_: n for type_, n in counts.items() if type_ not in ("task", 92000022)}


def test_each_construct(record):
    everything, answer, _ = record()
    seen = {construct for construct, types in CONSTRUCTS.items() if types & everything.keys()}
    assert len(seen) >= 9
    for construct, types in CONSTRUCTS.items():
        left, told, notes = record("--openmp-exclude", construct)
        assert told == answer and not notes
        kept = everything.keys() - types
        assert left.keys() == kept, construct
        assert {type_: n for type_, n in vague(everything).items() if type_ in kept} == vague(left), construct
        only, told, notes = record("--openmp-functions", construct)
        assert told == answer and not notes
        # Chunks are of a worksharing construct: they are not recorded without it, but it may be without them.
        assert only.keys() == (types - CONSTRUCTS["chunk"]) & everything.keys() | REGIONS, construct


def test_patterns(record):
    everything, _, _ = record()
    left, _, notes = record("--openmp-exclude", "task*,bogus,join", "--openmp-functions", "[!b]*")
    gone = set().union(*(CONSTRUCTS[name] for name in ("barrier", "join", "task", "taskwait", "taskgroup")))
    assert left.keys() == everything.keys() - gone
    assert notes == ["#tandem:note=openmp-exclude: no function is called 'bogus'"]
