# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run's records, and the trace made of them, say of data that moves otherwise than in messages: lists of the facts
that tests/stories/programs/mpi_movement.c writes, a second and simple way to read both."""
import collections
import struct

from streams import COLLECTIVE, ENTER, EVENT, LEAVE, POST, REMOTE

START, FREE = 3, 4  # of POST
SENT, RECEIVED, ROOT, COMMUNICATOR = 50100001, 50100002, 50100003, 50100004
SIZE, TARGET, DISPLACEMENT = 50001000, 50001001, 50001003
ASKED, MOVED = 50000110, 92000030
MPI_TYPES = range(50000001, 50000006)


def signed(word):
    return struct.unpack("<i", struct.pack("<I", word))[0]


def facts_of_records(records, names):
    """Facts of one rank's records, without members and IS_ROOT."""
    facts, calls, persistent = [], [], {}
    for r in records:
        if r.kind == ENTER:
            calls.append(names.get((r.id, r.aux)))
        elif r.kind == LEAVE:
            calls.pop()
        elif r.kind == COLLECTIVE and r.aux:
            persistent[r.words[3]] = r
        elif r.kind == POST and r.id == FREE:
            persistent.pop(r.words[1], None)
        elif r.kind == COLLECTIVE or r.kind == POST and r.id == START and r.words[1] in persistent:
            of = r if r.kind == COLLECTIVE else persistent[r.words[1]]
            facts.append(["collective", calls[-1], signed(of.id), *of.words[1:3]])
        elif r.kind == REMOTE and r.aux:
            facts.append(["remote", calls[-1], r.id, r.words[1], r.words[3]])
        elif r.kind == REMOTE:
            facts.append(["target", calls[-1], r.id])
        elif r.kind == EVENT and r.id in (ASKED, MOVED):
            add_file_fact(facts, calls[-1], r.id, r.words[0])
    return facts


def add_file_fact(facts, name, type_, value):
    """Asked comes with the call's begin, moved with its end, and after that asked 0."""
    last = facts[-1] if facts and facts[-1][:2] == ["file", name] and not facts[-1][4] else None
    if type_ == MOVED and last:
        last[3] = value
    elif type_ == MOVED:
        facts.append(["file", name, -1, value, True])
    elif last:
        assert value == 0
        last[4] = True
    else:
        facts.append(["file", name, value, -1, False])


def without_marks(facts):
    assert all(fact[4] for fact in facts if fact[0] == "file")
    return [fact[:4] if fact[0] == "file" else fact for fact in facts]


def facts_of_trace(lines, names):
    """{rank: facts} of a .prv, without ROOT."""
    members, ranks, calls = {}, collections.defaultdict(list), collections.defaultdict(str)
    for line in lines:
        fields = line.rstrip("\n").split(":")
        if fields[0] == "c":
            members[int(fields[2])] = ",".join(str(int(task) - 1) for task in fields[4:])
        if fields[0] != "2" or not line[0].isdigit():
            continue
        rank, pairs = int(fields[3]) - 1, list(zip(map(int, fields[6::2]), map(int, fields[7::2])))
        facts, ended = ranks[rank], calls[rank]
        begun = next((names[pair] for pair in pairs if pair[0] in MPI_TYPES and pair[1]), "")
        said = dict(pairs)
        if MOVED in said:
            add_file_fact(facts, ended, MOVED, said[MOVED])
        if SENT in said:
            where = members.get(said.get(COMMUNICATOR))
            facts.append(["collective", begun, where, said.get(ROOT, 0), said[SENT], said[RECEIVED]])
        if TARGET in said and begun:
            data = [said[SIZE], said[DISPLACEMENT]] if SIZE in said else []
            facts.append(["remote" if data else "target", begun, said[TARGET], *data])
        elif TARGET in said:
            assert all(said.get(type_, 0) == 0 for type_ in (SIZE, TARGET, DISPLACEMENT))
        if ASKED in said:
            add_file_fact(facts, begun or ended, ASKED, said[ASKED])
        if any(type_ in MPI_TYPES for type_, _ in pairs):
            calls[rank] = begun
    return {rank: without_marks(facts) for rank, facts in ranks.items()}


def told_facts(path):
    """What the program says it did: for the records, and for the trace."""
    records, trace = [], []
    for kind, name, *words in map(str.split, path.read_text().splitlines()):
        if kind == "collective":
            members, root, is_root, sent, received = words
            records.append([kind, name, int(root), int(sent), int(received)])
            trace.append([kind, name, members, int(is_root), int(sent), int(received)])
        else:
            records.append([kind, name, *map(int, words)])
            trace.append([kind, name, *map(int, words)])
    return records, trace
