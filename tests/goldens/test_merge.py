# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams written as text, in either byte order, merge to these bytes.

The expected traces were read line by line when they were made; to make them anew after a change that is meant, run
record_cat and `tandem merge` on merge/NAME.txt as below and read the difference.
"""
import collections
import gzip
import re
import subprocess

import pytest

import resident

NAMES = ["calls", "messages", "exec", "killed", "nodes", "drift", "movement", "tasks", "python", "threads", "sensors", "waits"]


def merge(tandem, build_dir, text, order, run, *options):
    run.mkdir(parents=True)
    record_cat = build_dir / "tests" / "goldens" / "record_cat"
    subprocess.run([record_cat, order, run], input=text, text=True, check=True)
    return resident.run(tandem, "merge", *options, run)


@pytest.fixture
def merged(root, tandem, build_dir, tmp_path):
    def merge_golden(name, order, *options):
        text = (root / f"tests/goldens/merge/{name}.txt").read_text()
        result = merge(tandem, build_dir, text, order, tmp_path / order / f"{name}.tandem", *options)
        assert result.returncode == 0, result.stderr
        return result, tmp_path / order / f"{name}.prv"

    return merge_golden


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("name", NAMES)
def test_bytes(root, merged, name, order):
    _, prv = merged(name, order)
    for ending in (".prv", ".pcf", ".row"):
        expected = root / f"tests/goldens/merge/{name}{ending}"
        if ending == ".prv" or expected.exists():
            assert prv.with_suffix(ending).read_text() == expected.read_text(), f"{name}{ending}"


@pytest.mark.parametrize("name", NAMES)
def test_several_write_the_same_bytes(tandem, merged, tmp_path, name):
    _, prv = merged(name, "little")
    for n in (2, 3, 7):
        output = tmp_path / str(n) / f"{name}.prv"
        output.parent.mkdir()
        resident.run(tandem, "merge", "--jobs", str(n), "-q", "-o", output, prv.with_suffix(".tandem"), check=True)
        for ending in (".prv", ".pcf", ".row"):
            assert output.with_suffix(ending).read_bytes() == prv.with_suffix(ending).read_bytes(), (n, ending)


def first_time(fields):
    return int(fields[5])


@pytest.mark.parametrize("name", NAMES)
def test_sorted_and_contiguous(tandem, merged, name):
    _, prv = merged(name, "little")
    times, ends = [0], collections.defaultdict(int)
    header = prv.read_text().splitlines()[0]
    end = int(header.split("):")[1].split("_ns")[0])
    for line in prv.read_text().splitlines():
        if line[0] not in "123":
            continue
        fields = line.split(":")
        times.append(first_time(fields))
        assert times[-1] >= times[-2], line
        if fields[0] == "1":
            row = tuple(fields[2:5])
            assert ends[row] == int(fields[5]) < int(fields[6]), line
            ends[row] = int(fields[6])
    assert ends and set(ends.values()) == {end}
    check = resident.run(tandem, "check", prv)
    assert check.returncode == 0, check.stdout + check.stderr


def test_counts_are_told(merged):
    result, _ = merged("killed", "little")
    for words in ("3 lost", "1 send without a receive", "1 call left open", "14 bytes damaged"):
        assert words in result.stdout
    assert "rank 2 of application 1 left nothing" in result.stderr


def test_python(tandem, merged, tmp_path):
    """Processes of multiprocessing's own are left out and counted; a name that nothing has is told once."""
    result, prv = merged("python", "little")
    unmet = "python: nothing was called that is 'gpaw.scf.foo' (line 3 of the list)\n"
    assert result.stderr == ("tandem: note: 2 processes that Python's multiprocessing keeps for itself left out "
                             f"(`tandem merge --all-processes` shows all)\ntandem: note: {unmet}")
    assert "3 processes, 3 threads" in result.stdout and "2 calls left open" in result.stdout
    run = prv.with_suffix(".tandem")
    everything = resident.run(tandem, "merge", "-a", "-o", tmp_path / "all.prv", run)
    assert everything.stderr == f"tandem: note: {unmet}" and "5 processes" in everything.stdout
    tasks = (tmp_path / "all.row").read_text().split("\n\n")[0].splitlines()[1:]
    assert tasks == ["pool.py"] * 5


def test_within_a_function_of_python(tandem, merged):
    _, prv = merged("python", "little")

    def within(name):
        words = ["--view", "state", "--within", f"python-functions:{name}", "--long", "--csv", "-"]
        return resident.run(tandem, "histogram", *words, prv)

    def refused(name):
        result = within(name)
        assert result.returncode == 2 and result.stdout == ""
        return result.stderr.removeprefix(f'tandem: histogram: --within: got "python-functions:{name}", ').strip()

    waits = "THREAD 1.1.1 (pool.py),Waiting for Python's lock [ns],50.0"
    assert waits in within("__main__.solve").stdout
    in_step = within("step (/home/u/b.py:3)").stdout
    assert "THREAD 1.1.1 (pool.py),Running [ns],50.0" in in_step and "lock" not in in_step
    assert "THREAD 1.3.1 (pool.py),Running [ns],20.0" in within("__main__.<module>").stdout
    there_are = "takes a value that the view has in this trace"
    assert refused("__main__.sove") == f'{there_are}, as "__main__.solve"'
    assert refused("step") == f'{there_are}, as "step (/home/u/a.py:3)", "step (/home/u/b.py:3)"'
    assert refused("nonsense") == there_are


def test_stat_of_python(tandem, merged):
    """Calls, time by itself and with callees; where a function calls itself that is once."""
    _, prv = merged("python", "little")
    lines = resident.run(tandem, "stat", prv, check=True).stdout.splitlines()
    at = lines.index("Python functions of all threads")
    assert lines[at + 2].split() == ["__main__.solve", "2", "680", "ns", "41.72", "%", "880", "ns"]
    assert all(len(line) <= 100 for line in lines[at:at + 10])


def lines_of_tasks(prv):
    """Their task, tag, and thread and time at both ends."""
    lines = [line.split(":") for line in prv.read_text().splitlines() if line.startswith("3:")]
    return sorted(tuple(int(line[i]) for i in (13, 14, 4, 5, 10, 11)) for line in lines)


def test_creation_lines(root, merged, tmp_path):
    """From where a task was made to where it first began; none of a taskwait, a taskloop's share or what never began."""
    merged("tasks", "little", "--task-creation", "-o", tmp_path / "with.prv")
    created = [line for line in lines_of_tasks(tmp_path / "with.prv") if line[1] == 60000000]
    begun = {2: (1200, 2, 1600), 3: (1300, 2, 1680), 4: (1400, 1, 1700), 5: (1500, 2, 2100), 8: (3150, 1, 3160),
             9: (3180, 1, 3190)}
    assert created == [(task, 60000000, 1, made, row, begin) for task, (made, row, begin) in begun.items()]
    others = [line for line in lines_of_tasks(tmp_path / "with.prv") if line[1] != 60000000]
    assert others == lines_of_tasks(root / "tests/goldens/merge/tasks.prv")


def test_a_long_chain_that_never_began(tandem, build_dir, tmp_path):
    """A program that was killed while it made 200,000 tasks, each of which waits for the one before."""
    n = 200000
    made = "\n".join(f"{2000 + i} task {i + 2} 0 0x6000 1:0\n{2000 + i} task {i + 2} 1 0xa02\n{2000 + i} leave 60000024 0"
                     for i in range(n))
    text = (f"image node.1.0 1\nstream 0 main ring={1 << 26}\n1000 process 1 0 1:1 0 1\n"
            f"1000 clock 0 0 1000 1700000000000001000\n1000 text 3 4 \"node\"\n1000 thread 0 0 1:0\n{made}\n")
    result = merge(tandem, build_dir, text, "little", tmp_path / "chain.tandem")
    assert result.returncode == 0, result.stderr
    assert lines_of_tasks(tmp_path / "chain.prv") == []


def test_compressed_holds_the_same(tandem, merged):
    _, prv = merged("messages", "little")
    packed = prv.with_name("packed.prv.gz")
    run = prv.with_suffix(".tandem")
    resident.run(tandem, "merge", "-o", packed, run, check=True)
    assert gzip.decompress(packed.read_bytes()) == prv.read_bytes()
    assert packed.with_name("packed.pcf").exists() and packed.with_name("packed.row").exists()


def test_names_are_taken_one_after_another(tandem, merged):
    _, prv = merged("exec", "little")
    run = prv.with_suffix(".tandem")
    run.chmod(0o700)  # nothing else counts as a run directory
    (run / "run").write_text("keep=1\n")
    again = resident.run(tandem, "merge", "--remove", run)
    assert again.returncode == 0 and (prv.parent / "exec.1.prv").read_bytes() == prv.read_bytes()
    assert run.exists(), "keep=1 of the run counts"
    (run / "run").write_text("")
    assert resident.run(tandem, "merge", "--force", "--quiet", "--remove", run).stdout == ""
    assert not run.exists()
    assert sorted(p.name for p in prv.parent.iterdir()) == sorted(
        f"exec{n}.{e}" for n in ("", ".1") for e in ("pcf", "prv", "row")
    )


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("image a.1.0 1\nstream 0 main\n", "no process recorded anything"),
        ("image a.1.0 1\nstream 0 main\n10 process 1 0 1:1 0 1\n", "no process lived long enough"),
    ],
)
def test_nothing_there(tandem, build_dir, tmp_path, text, complaint):
    result = merge(tandem, build_dir, text, "little", tmp_path / "a.tandem")
    assert result.returncode == 1 and complaint in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["a.tandem"]


@pytest.mark.parametrize("kilobytes", [4, 8])  # the .prv fits, the .pcf does not
def test_full_disk(tandem, merged, namespaces, tmp_path, kilobytes):
    _, prv = merged("messages", "little")
    place = tmp_path / "small"
    place.mkdir()
    mount = f'mount -t tmpfs -o size={kilobytes}k tmpfs "$1" || exit 90'
    script = mount + '; "$2" merge "$3" -o "$1/a.prv"; echo $?; ls -A "$1"'
    words = ["unshare", "-rm", "sh", "-c", script, "sh", place, tandem, prv.with_suffix(".tandem")]
    result = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert result.stdout == "1\n" and "No space left on device" in result.stderr, result
    assert prv.with_suffix(".tandem").exists()


def test_no_directory(tandem, tmp_path):
    for path in (tmp_path, tmp_path / "absent.tandem"):
        result = resident.run(tandem, "merge", path)
        assert result.returncode == 1 and result.stderr.startswith(f"tandem: {path}: ")
    assert resident.run(tandem, "merge").returncode == 2
    assert resident.run(tandem, "merge", "--nonsense", "x").returncode == 2
    assert list(tmp_path.iterdir()) == []


BEGIN = """image node.1.0 1
stream 0 main
100 process 1 0 1:1 0 0xd0
100 clock 0 0 100 1700000000000000100
100 text 1 8 "/bin/app"
100 text 3 4 "node"
100 text 4 4 "boot"
100 thread 0 0 1:0
"""
RELOADS = BEGIN + """{loads}
9000 thread-end 0 0 500
9000 process-end 0 0
stream 0 signal
100 thread 0 0 1:0
{samples}
9000 thread-end 0 0 500
"""
LEFT = BEGIN + """100000100 thread-end 0 0 500
stream 1 main
100 thread 1 0 2:1
stream 1 signal
100 thread 1 0 2:1
100 sampling 2 0 2000000 0:2
{records}
"""
MS = 1000000


@pytest.mark.parametrize("weights, told, more", [
    ((2, 2, 2), 0, 2.5),
    ((2, 8, 2, 2), 0, 2.5),
    ((2, 2, 8), 0, 2.5),  # one sample that came late
    ((2, 8, 9), 0, 8),  # a period that was raised
    ((2, 2, 2), 2, 0.5),  # a wait told what was used since the sample
])  # fmt: skip
def test_what_a_thread_used_that_does_not_tell_its_end(tandem, build_dir, tmp_path, weights, told, more):
    """Less than what would have given another sample."""
    ends = [100 + sum(weights[: i + 1]) * MS for i in range(len(weights))]
    records = [f"{end} sample {weight * MS} 0 0x5000" for end, weight in zip(ends, weights)]
    if told:
        records.append(f"{ends[-1] + 5 * MS} wait {told * MS} 0 0x6000 0x5001 {3 * MS} {3 * MS}")
    result = merge(tandem, build_dir, LEFT.format(records="\n".join(records)), "little", tmp_path / "left.tandem")
    assert result.returncode == 0, result.stderr
    states = [line.split(":") for line in (tmp_path / "left.prv").read_text().splitlines() if re.match("1:[0-9]+:1:1:2:", line)]
    running = sum(int(end) - int(begin) for *_, begin, end, state in states if state == "1")
    assert running == (sum(weights) + told + more) * MS


def test_a_place_where_files_come_and_go(tandem, build_dir, tmp_path):
    """A sample is of the file that was there then, also where one is loaded again and again, or comes back."""
    files = ["/a.so", "/a.so", "/b.so", "/a.so", "/a.so", "/b.so"]
    loads = [f'{1000 * (i + 1)} module 0 5 0x10000 0x20000 0x10000 "{path}"' for i, path in enumerate(files)]
    samples = [f"{1000 * (i + 1) + 500} sample 1000 0 0x10070" for i in range(len(files))]
    text = RELOADS.format(loads="\n".join(loads), samples="\n".join(samples))
    result = merge(tandem, build_dir, text, "little", tmp_path / "reloads.tandem")
    assert result.returncode == 0, result.stderr
    lines = (tmp_path / "reloads.prv").read_text().splitlines()
    values = [line.split(":30000000:")[1].split(":")[0] for line in lines if ":30000000:" in line]
    names = {"1": "/a.so", "2": "/b.so"}  # a.so+0x70 and b.so+0x70, in the order of names
    assert [names[value] for value in values] == files


def labels_of(pcf, type_):
    """{value: label} of an event type."""
    block = next(b for b in pcf.read_text().split("EVENT_TYPE") if f" {type_} " in b)
    return {value: label for value, label in re.findall(r"^(\d+) +(.*)$", block.split("VALUES\n")[1], re.M)}


def names_of_samples(tandem, build_dir, run, loads, addresses):
    """(function, line) of a sample at each of these addresses, in a process that tells these records at its begin."""
    samples = [f"{5000 + i} sample 1000 0 {address:#x}" for i, address in enumerate(addresses)]
    text = RELOADS.format(loads="\n".join(loads), samples="\n".join(samples))
    result = merge(tandem, build_dir, text, "little", run)
    assert result.returncode == 0, result.stderr
    names = [labels_of(run.with_suffix(".pcf"), type_) for type_ in (30000000, 30000100)]
    lines = run.with_suffix(".prv").read_text().splitlines()
    values = [line.split(":30000000:")[1].split(":30000100:") for line in lines if ":30000000:" in line]
    return [(names[0][function], names[1][line.split(":")[0]]) for function, line in values[: len(addresses)]]


def test_code_of_the_kernel(tandem, build_dir, tmp_path):
    """What the record says of the vDSO is all that is known: the machine that merges has another one, or none."""
    module = '1000 module 0 6 0x10000 0x12000 0x10000 "[vdso]"'
    functions = "10800 2a0 __vdso_gettimeofday\\x0a10af0 386 __vdso_clock_gettime\\x0a"
    told = [module, f'1001 text 8 {len(functions) - 6} "{functions}"']
    found = names_of_samples(tandem, build_dir, tmp_path / "told.tandem", told, [0x10af0, 0x10e75, 0x10e76, 0x10810, 0x11000])
    assert [function for function, _ in found] == ["__vdso_clock_gettime"] * 2 + ["[vdso]", "__vdso_gettimeofday", "[vdso]"]
    assert [line for _, line in found][1:4] == ["__vdso_clock_gettime ([vdso])", "[vdso]", "__vdso_gettimeofday ([vdso])"]
    assert names_of_samples(tandem, build_dir, tmp_path / "untold.tandem", [module], [0x10af0, 0x10e76]) == [("[vdso]", "[vdso]")] * 2


def test_a_file_that_cannot_be_read(tandem, build_dir, tmp_path):
    """Its code has one name for the function, and lines that say where in the file."""
    module = '1000 module 0 8 0x10000 0x20000 0x10000 "/none.so"'
    found = names_of_samples(tandem, build_dir, tmp_path / "run.tandem", [module], [0x10070, 0x10090])
    assert found == [("[none.so]", "none.so+0x70"), ("[none.so]", "none.so+0x90")]


PAIR = """image node.{pid}.0 {pid}
stream 0 main ring=16777216
1000 process {pid} 0 1:2 0 {pid}
1000 clock 0 0 1000 1700000000000001000
1000 text 1 8 "/bin/app"
1000 text 3 4 "node"
1000 text 4 4 "boot"
1000 thread 0 0 {pid}:0
1010 rank {rank} 0 2:0
1010 comm 0 0 0x10 2:{rank} 0 0:1
{calls}
9000000 thread-end 0 0 500
9000000 process-end 0 0
"""


def merge_pair(tandem, build_dir, tmp_path, *ranks):
    """Two ranks' calls -> [(begin of send, begin of receive, bytes, tag)], what the merge said."""
    text = "".join(PAIR.format(pid=200 + rank, rank=rank, calls="\n".join(calls)) for rank, calls in enumerate(ranks))
    result = merge(tandem, build_dir, text, "little", tmp_path / "pair.tandem")
    assert result.returncode == 0, result.stderr
    lines = [line.split(":") for line in (tmp_path / "pair.prv").read_text().splitlines() if line.startswith("3:")]
    return [tuple(int(line[i]) for i in (5, 11, 13, 14)) for line in lines], result.stdout


def call(time, *records):
    """Lines of a call of MPI that takes 5 ns."""
    return [f"{time} enter 50000001 1", *(f"{time + 5} {record}" for record in records), f"{time + 5} leave 50000001 0"]


def test_a_directory_twice(tandem, build_dir, tmp_path):
    merge_pair(tandem, build_dir, tmp_path, [], [])
    words = "-o", tmp_path / "twice.prv", tmp_path / "pair.tandem", f"{tmp_path}/./pair.tandem/"
    result = resident.run(tandem, "merge", *words)
    assert (result.returncode, result.stderr) == (1, f"tandem: {tmp_path}/./pair.tandem/: is named twice\n")
    assert not (tmp_path / "twice.prv").exists()


def test_a_receive_keeps_its_place_before_many(tandem, build_dir, tmp_path):
    """One from anybody, of which the program learns after 70,000 others of the same channel."""
    n = 70000
    sends = [line for i in range(n + 1) for line in call(2000 + 10 * i, f"send 7 0 0x10 {i + 1} 1")]
    posted = call(2000, "post 0 0xffff 0x10 0x800 4294967295:4294967295")
    received = [line for i in range(1, n + 1) for line in call(2000 + 10 * i, f"recv 7 0 0x10 {i + 1} 0")]
    done = call(8000000, "done 7 0 0x800 1 0")
    messages, _ = merge_pair(tandem, build_dir, tmp_path, sends, posted + received + done)
    assert messages == [(1000 + 10 * i, 1000 + 10 * i, i + 1, 7) for i in range(n + 1)]


def test_receives_wait_for_those_that_may_have_had_the_message(tandem, build_dir, tmp_path):
    """Posted: from anybody with tag 7 (A), tag 7 from 0 (B), tag 8 from 0 (C).  They end as C, B, A."""
    sends = [line for i, tag in enumerate((7, 7, 8)) for line in call(2000 + 10 * i, f"send {tag} 0 0x10 {i + 1} 1")]
    posts = [line for i, asked in enumerate(("4294967295:7", "0:7", "0:8")) for line in
             call(2000 + 10 * i, f"post 0 7 0x10 {0x800 + i} {asked}")]
    ends = [line for i, (request, tag, size) in enumerate(((0x802, 8, 3), (0x801, 7, 2), (0x800, 7, 1)))
            for line in call(3000 + 10 * i, f"done {tag} 0 {request} {size} 0")]
    messages, _ = merge_pair(tandem, build_dir, tmp_path, sends, posts + ends)
    assert messages == [(1000, 1000, 1, 7), (1010, 1010, 2, 7), (1020, 1020, 3, 8)]


@pytest.mark.parametrize("persistent", [False, True])
def test_a_cancelled_send_is_no_message(tandem, build_dir, tmp_path, persistent):
    begin = call(2000, "post 2 7 0x10 0x900 10 1:7") + call(2010, "post 3 0 0 0x900")
    begin = begin if persistent else call(2010, "send 7 1 0x10 10 1 0x900")
    sends = (begin + call(2020, "send 7 1 0x10 20 1 0x901") + call(2030, "send 7 0 0x10 30 1")
             + call(2040, "done 0 1 0x900 0 0") + call(2050, "done 0 0 0x901 0 0"))
    receives = call(3000, "recv 7 0 0x10 20 0") + call(3010, "recv 7 0 0x10 30 0")
    messages, said = merge_pair(tandem, build_dir, tmp_path, sends, receives)
    assert messages == [(1020, 2000, 20, 7), (1030, 2010, 30, 7)]
    assert "without" not in said
