# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads of two ranks that call MPI at once, communicators and receives in another order than that of their ends: the
message lines of the trace join those ends that belong together."""
import collections

Message = collections.namedtuple("Message", "sender begun posted received receiver tag size")
THREADS, EACH = 3, 40


def read_messages(path):
    messages = []
    for line in path.read_text().splitlines():
        if line.startswith("3:"):
            f = [int(field) for field in line.split(":")]
            assert (f[3], f[9]) == (1, 2)
            messages.append(Message(f[4], f[5], f[11], f[12], f[10], f[14], f[13]))
    return sorted(messages, key=lambda message: message.begun)


def test_messages_of_threads(run, mpirun, tandem, compile_program, tmp_path):
    program = compile_program("mpi_threads", mpi=True)
    run(tandem, "record", "-o", "out.prv", "--", *mpirun(2), program, check=True)
    run(tandem, "check", "out.prv", check=True)
    assert "unmatched" not in (tmp_path / "out.prv").read_text()
    by_tag = collections.defaultdict(list)
    for message in read_messages(tmp_path / "out.prv"):
        assert message.begun < message.received
        by_tag[message.tag].append(message)
    assert {tag: len(of_tag) for tag, of_tag in by_tag.items()} == {
        **{10 + thread: EACH for thread in range(THREADS)}, 99: THREADS * EACH, 7: THREADS * 15, 8: 2, 20: 4, 21: 1}

    # In the order in which the receives were posted; the any-tag one was first, the blocking one last.
    assert [m.size for m in by_tag[20]] == [4, 8, 16, 20]
    posted = [m.posted for m in by_tag[20]]
    assert posted == sorted(posted) and by_tag[20][1].posted < by_tag[21][0].posted < by_tag[20][2].posted

    of_a, of_b = by_tag[8]
    assert (of_a.size, of_b.size) == (4, 8) and of_b.posted < of_a.posted

    pairs = set()
    for thread in range(THREADS):
        messages = by_tag[10 + thread]
        assert [m.size for m in messages] == [4 * (i + 1) for i in range(EACH)]
        assert [m.posted for m in messages] == sorted(m.posted for m in messages)
        own = [m for m in by_tag[7] if m.size == 4 * (100 + thread)]
        assert len(own) == 15
        (pair,) = {(m.sender, m.receiver) for m in messages + own}
        pairs.add(pair)
    assert sorted(p[0] for p in pairs) == sorted(p[1] for p in pairs) and len(pairs) == THREADS
    assert {m.size for m in by_tag[99]} == {20}
