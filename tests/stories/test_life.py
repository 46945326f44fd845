# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to live and die: whatever a program does, it behaves as without us, and what it recorded is there.

Each mode of programs/life.c makes a known number of events; the streams are read by streams.py, which knows nothing of
our reader, and merged by the command itself.
"""
import collections
import os
import pathlib
import resource
import time

import pytest

import streams
from streams import DEFINE, EVENT, MODULE, PROCESS, PROCESS_END, SWITCH, TEXT, THREAD, THREAD_END, told

WORK, HANDLED = 1000, 1001

Image = collections.namedtuple("Image", "name rings records events n_lost")


@pytest.fixture(scope="module")
def life(compile_program, build_dir):
    """The program, linked with the library of no-ops."""
    place = build_dir / "runtime"
    return compile_program("life", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api", "-ldl"])


@pytest.fixture(scope="module")
def plugin(compile_program):
    return compile_program("life_plugin", flags=["-shared", "-fPIC"], name="libplugin.so")


def read_images(run_directory):
    images = []
    for place in sorted(p for p in run_directory.iterdir() if p.is_dir()):
        rings = {ring.name[: -len(".ring")]: list(streams.read_stream(ring)) for ring in streams.rings(place, "*")}
        records = [record for ring in rings.values() for record in ring]
        n_events = sum(record.kind == EVENT and record.id == WORK for record in records)
        n_lost = sum(streams.read_header(ring).n_lost for ring in streams.rings(place, "*"))
        images.append(Image(place.name, rings, records, n_events, n_lost))
    return images


def check_times(images):
    for image in images:
        for name, records in image.rings.items():
            times = [record.time for record in records]
            assert times == sorted(times), f"{image.name}/{name}: time goes back"


def kinds(image, kind):
    return [record for record in image.records if record.kind == kind]


@pytest.fixture
def both(run, tandem, libtandem, life, tmp_path):
    """both(mode, argument...) -> (result, images): runs it without and with us, compares, reads, merges."""

    def run_both(*words, program=life, stderr="", preload=True, ordered=True, **options):
        places = [tmp_path / "without", tmp_path / "with"]
        results = []
        for place in places:
            place.mkdir()
            ours = place.name == "with" and preload
            options["env"] = {**options.get("env", {}), "TANDEM_MERGE": "0"}
            results.append(run(program, *words, cwd=place, preload=libtandem if ours else None, **options))
        without, traced = results
        assert traced.returncode == without.returncode
        assert traced.stdout == without.stdout
        assert traced.stderr == without.stderr + stderr
        directories = list(places[1].glob("*.tandem"))
        assert len(directories) == 1
        assert directories[0].stat().st_mode & 0o7777 == 0o700
        images = read_images(directories[0])
        if ordered:
            check_times(images)
        run(tandem, "merge", "--quiet", directories[0], check=True)
        assert directories[0].with_suffix(".prv").stat().st_size > 0
        return traced, images

    return run_both


# mode: exit status and events of each image, in any order
LIVES = {
    "exit": (7, [100]),
    "middle": (3, [200]),
    "quick": (4, [100]),
    "quick_exit": (5, [200]),
    "abort": (-6, [100]),
    "kill": (-9, [20000]),
    "fork": (0, [150, 200, 300, 100]),
    "children": (0, [10] * 51),
    "locked": (0, [50] + [10] * 20),
    "raw_fork": (0, [200]),
    "exec": (7, [200, 100]),
    "spawn": (0, [200, 100, 100]),
    "threads": (0, [160000]),
    "outlive": (0, [200]),
    "pthread_exit": (0, [200]),
    "destructors": (0, [30]),
    "directory": (0, [20000]),
}


@pytest.mark.parametrize("mode", LIVES)
def test_life(both, mode):
    status, events = LIVES[mode]
    result, images = both(mode)
    assert result.returncode == status
    assert sorted(image.events for image in images) == sorted(events)
    for image in images:
        assert image.rings["0.main"][0].kind == PROCESS


def test_ends_are_told(both):
    _, images = both("fork")
    ends = [[record.id for record in kinds(image, PROCESS_END)] for image in images]
    assert sorted(ends) == [[0], [0], [0], [2]]  # exit, and exec of the child whose next image ended by exit
    births = sorted(kinds(image, PROCESS)[0].aux for image in images)
    assert births == [0, 1, 1, 2]
    ids = {kinds(image, PROCESS)[0].words[2] for image in images}
    assert len(ids) == len(images)
    assert all(kinds(image, PROCESS)[0].words[1] in ids | {0} for image in images)


def test_shell_commands(both):
    result, images = both("system")
    assert result.returncode == 0
    assert sorted(image.events for image in images if image.events) == [100, 100, 100, 100, 100]


@pytest.mark.parametrize("mode, n_threads, n_events", [("short", 5000, 50000), ("sequence", 100000, 100000)])
def test_many_threads(both, mode, n_threads, n_events):
    _, (image,) = both(mode, n_threads)
    assert image.events == n_events
    numbers = [record.id for record in kinds(image, THREAD)]
    assert sorted(numbers) == list(range(n_threads + 1))
    assert sorted(record.id for record in kinds(image, THREAD_END)) == sorted(numbers)
    assert len(image.rings) <= 52  # slots are used again


def test_cancelled_threads(both):
    _, (image,) = both("cancel")
    assert len(kinds(image, THREAD_END)) == 21


def test_thread_name(both):
    _, (image,) = both("destructors")
    assert "with key" in [told(record) for record in kinds(image, TEXT) if record.id == 5]


def test_program_closes_all_descriptors(both):
    result, (image,) = both("descriptors")
    assert result.returncode == 1  # it got 0 and 1 for its own
    assert image.events == 20000


def test_no_descriptor_left(both):
    """Without one the ring cannot be written out: what it held is there, what came then is counted."""
    resource_before = resource.getrlimit(resource.RLIMIT_NOFILE)

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource_before[1]))

    with pytest.raises(AssertionError, match="writing records: Too many open files"):
        both("exhausted", preexec_fn=limit)


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot is for root")
def test_changed_root(both, tmp_path):
    _, (image,) = both("chroot", tmp_path)
    assert image.events == 20000


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot is for root")
def test_child_after_changed_root(both):
    result, images = both("chroot_fork")
    assert result.returncode == 3
    assert sorted(image.events for image in images) == [50, 100]


def test_plugin(both, plugin):
    _, (image,) = both("plugin", plugin)
    assert image.events == 101
    assert [record.id for record in kinds(image, MODULE) if told(record) == str(plugin)] == [0, 1]


def test_loaded_late(both, libtandem):
    _, (image,) = both("late", libtandem, preload=False, env={"TANDEM_OUTPUT": "late"})
    assert image.events == 200
    assert len(kinds(image, THREAD)) == 2


def test_handler_of_the_program(both, tmp_path):
    """Events of the program's own handler, which interrupts our functions: there, or counted."""
    # An event that was interrupted between its time and its place stands behind those of the handler.
    _, (image,) = both("handler", tmp_path / "handled", ordered=False)
    n_handled = int((tmp_path / "handled").read_text())
    n_there = sum(record.kind == EVENT and record.id == HANDLED for record in image.records)
    assert 0 < n_there and n_there + image.n_lost == n_handled


def test_handler_that_jumps_away(both):
    """Records that are cut off for ever hold nothing up."""
    _, (image,) = both("jump")
    assert image.events == 100
    assert image.n_lost == 0


def test_switched_off_for_a_while(both):
    _, (image,) = both("switch")
    assert image.events == 200
    assert [record.id for record in kinds(image, SWITCH)] == [0, 1]


def test_names(both):
    _, (image,) = both("names")
    assert [told(record) for record in kinds(image, DEFINE)] == ["Work", "One", "inner loop", "residual"]


def test_static_objects(both, compile_program, build_dir):
    place = build_dir / "runtime"
    program = compile_program("life_static.cc", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])
    _, (image,) = both(program=program)
    assert image.events == 230


def test_daemon(run, life, libtandem, tmp_path):
    """The trace is made by the daemon, which outlives the process that was started."""
    result = run(life, "daemon", tmp_path / "done", preload=libtandem)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    deadline = time.monotonic() + 20
    while not (tmp_path / "life.prv").exists() or list(tmp_path.glob("*.tandem")):
        assert time.monotonic() < deadline, list(tmp_path.iterdir())
        time.sleep(0.05)
    assert (tmp_path / "life.prv").read_text().count(f":{WORK}:") == 300


def test_unwritable_directory(run, life, libtandem):
    result = run(life, "fork", cwd="/proc", preload=libtandem)
    assert result.returncode == 0
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("tandem: life.tandem: making the run's directory: "), lines
    assert lines[0].endswith("; not recording")


@pytest.mark.parametrize("size", ["4M", "256k"], ids=["of streams", "of rings"])
def test_full_disk(run, life, tandem, libtandem, namespaces, tmp_path, size):
    """A small disk: the program goes on, one line says so, what is there is merged, what is not is counted."""
    kept = tmp_path.parent / f"kept-{size}"
    script = f"""
        mount -t tmpfs -o size={size} tmpfs {tmp_path} && cd {tmp_path} || exit 90
        TANDEM_MERGE=0 LD_PRELOAD={libtandem} {life} threads 60000 || exit 91
        cp -r life.tandem {kept}
    """
    result = run("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, cwd=tmp_path.parent)
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and "No space left on device; not recording" in lines[0], lines
    (image,) = read_images(kept)
    assert 0 < image.events < 8 * 60000
    merged = run(tandem, "merge", kept, "-o", tmp_path / "full.prv", check=True)
    assert "lost" in merged.stdout + merged.stderr


def test_small_file_limit(run, life, libtandem, tmp_path):
    """Writing past RLIMIT_FSIZE would kill the program by SIGXFSZ."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
    result = run(life, "threads", 60000, preload=libtandem, preexec_fn=limit, env={"TANDEM_MERGE": "0"})
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 1 and "File too large" in result.stderr


def test_trace_at_the_end(run, life, libtandem, tmp_path):
    """Nothing but the program and the library: a trace, no run directory, not a word; the newest trace has the plain name."""
    for _ in range(2):
        result = run(life, "exit", preload=libtandem)
        assert (result.returncode, result.stdout, result.stderr) == (7, "returns\n", "")
        assert (tmp_path / "life.prv").stat().st_mtime_ns == max(path.stat().st_mtime_ns for path in tmp_path.glob("*.prv"))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["life.1.pcf", "life.1.prv", "life.1.row", "life.pcf", "life.prv", "life.row"]


def test_no_more_output_than_without_us(run, life, libtandem, tmp_path):
    """What _exit throws away is thrown away although the trace is made then."""
    result = run(life, "quick", preload=libtandem)
    assert (result.returncode, result.stdout, result.stderr) == (4, "", "")
    assert (tmp_path / "life.prv").exists()


def test_bad_setting_is_told_once(run, life, libtandem):
    result = run(life, "fork", preload=libtandem, env={"TANDEM_BUFFER": "1k", "TANDEM_MERGE": "0"})
    assert result.returncode == 0
    assert result.stderr == 'tandem: TANDEM_BUFFER: got "1k", takes 64k to 64M; using 256k\n'


def test_name_that_is_a_link(run, life, libtandem, tmp_path):
    """A name that somebody put there first is not followed."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "life.tandem").symlink_to(elsewhere)
    result = run(life, "exit", preload=libtandem)
    assert result.returncode == 7
    assert not list(elsewhere.iterdir())
    assert (tmp_path / "life.2.prv").exists()
