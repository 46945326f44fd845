# SPDX-License-Identifier: GPL-3.0-or-later
"""A program without an operating system on an emulated LEON3 (QEMU's leon3_generic, one processor), with the library that is
for the GR740: a timer interrupts it in supervisor mode, its register windows are walked, its records leave by a serial line."""
import collections
import re
import subprocess

import pytest

from board import COMPILER, SYSTEM, needed
from pieces import records_of, streams_of

CODE = ["-m32", "-mcpu=leon3", "-mno-user-mode", "-fno-pic", "-fno-pie", "-O2", "-g", "-ffreestanding", "-fno-stack-protector",
        "-DTND_BOARD", "-fno-tree-loop-distribute-patterns"]
LINKER = ["sparc64-linux-gnu-ld", "-m", "elf32_sparc", "-z", "noexecstack", "--gc-sections"]
COUNTER, SAMPLE, ENTER, LEAVE, END = 19, 32, 16, 17, 3


@pytest.fixture(scope="module")
def image(root, build_dir, board_dir, tmp_path_factory):
    """image(settings, work, cost) -> an image that the emulator boots."""
    needed(SYSTEM)
    made = {}

    def make(settings=(), work=4000, cost=0):
        key = (tuple(settings), work, cost)
        if key in made:
            return made[key]
        place, sources = tmp_path_factory.mktemp("leon3"), root / "tests" / "gr740" / "leon3"
        files = [sources / name for name in ("start.S", "board.c", "app.c", "libc.c")] + [sources.parent / "plain_string.c"]
        objects = [place / f"{file.stem}.o" for file in files]
        texts = "".join(f'"{setting}", ' for setting in settings)
        for file, object_ in zip(files, objects):
            subprocess.run([COMPILER, *CODE, f"-DSETTINGS={texts}", f"-DWORK={work}", f"-DCOST={cost}", f"-I{root}",
                            f"-I{root / 'runtime'}", f"-I{build_dir}", f"-I{build_dir / 'formats'}", "-c", file,
                            "-o", object_], check=True)
        made[key] = place / "leon3.elf"
        subprocess.run([*LINKER, "-T", sources / "link.ld", *objects, board_dir / "libtandem-gr740.a", "-o", made[key]], check=True)
        return made[key]

    return make


@pytest.fixture
def boot(run, tmp_path):
    """Runs an image; what came out of its serial line."""

    def boot_image(image, output, shift=5):
        result = run(SYSTEM, "-M", "leon3_generic", "-nographic", "-serial", f"file:{output}", "-monitor", "none",
                     "-icount", f"shift={shift}", "-kernel", image, timeout=60)
        assert result.returncode == 0, result.stderr
        return (tmp_path / output).read_bytes()

    return boot_image


def symbols_of(image):
    listed = subprocess.run(["sparc64-linux-gnu-nm", image], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\w+)$", listed, re.M)}


def counters_of(records):
    names = {}
    for record in records:
        if record.kind == 20 and record.aux == 2:
            text = b"".join(word.to_bytes(8, "big") for word in record.words[2:])
            names[record.id] = text.rstrip(b"\0").decode()
    return {names[record.id]: record.words[0] if record.words else record.aux for record in records if record.kind == COUNTER}


def is_call(text, address):
    """Whether a call stands two instructions before."""
    word = int.from_bytes(text[address - 8 - 0x40000000:][:4], "big")
    return word >> 30 == 1 or (word >> 30 == 2 and word >> 19 & 63 == 0x38)


def function_at(symbols, address):
    return max((start, name) for name, start in symbols.items() if start <= address)[1]


def test_samples(image, boot, run, tandem, tmp_path):
    elf = image(["SAMPLING_PERIOD=1ms"])
    written = boot(elf, "first.pieces")
    assert written == boot(elf, "second.pieces")  # byte for byte
    symbols, streams = symbols_of(elf), streams_of(written)
    assert set(streams) == {(0, 0), (0, 1)}
    main, signal = (list(records_of(streams[0, context])) for context in (0, 1))
    samples = [record for record in signal if record.kind == SAMPLE]
    counters = counters_of(main)
    assert len(samples) >= 1000 and counters["strange interrupts"] == 0
    # The first interrupts may come before the thread records, the last ones after the counter was recorded.
    assert counters["interrupts"] - 5 <= len(samples) <= counters["interrupts"] + 100
    assert main[-1].kind in (END, 5)
    subprocess.run(["sparc64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", elf, tmp_path / "text"], check=True)
    text = (tmp_path / "text").read_bytes()
    for record in samples:
        assert all(is_call(text, address) for address in record.words[1:])
        assert all(symbols["text_begin"] <= address < symbols["text_end"] for address in record.words)
        assert symbols["_start"] < record.words[-1] - 1 < symbols["board_halt"]
    names = [[function_at(symbols, address - (i > 0)) for i, address in enumerate(record.words)] for record in samples]
    hot = [frames for frames in names if frames[0].startswith("hot_")]
    counts = collections.Counter(frames[0] for frames in hot)
    # Of n samples a share p has a deviation of sqrt(n p (1 - p)); four of them.
    for name, share in (("hot_six", 0.6), ("hot_three", 0.3), ("hot_one", 0.1)):
        assert abs(counts[name] - len(hot) * share) < 4 * (len(hot) * share * (1 - share)) ** 0.5, counts
    # Chains of 1 to 40 calls, each named: windows of the processor hold 7.
    for frames in hot:
        assert frames[1:] == ["descend"] * (len(frames) - 3) + ["main", "_start"]
    assert {len(frames) - 3 for frames in hot} == set(range(1, 41))
    leaves = collections.Counter(tuple(frames) for frames in names if frames[0] == "leaf")
    assert set(leaves) == {("leaf", "main", "_start")}
    said = run(tandem, "merge", "--binary", elf, "first.pieces", check=True).stdout
    assert f"{len(samples)} samples" in said.replace(",", "") and " 0 lost" in said
    run(tandem, "check", "first.prv", check=True)
    report = run(tandem, "stat", "first.prv", check=True).stdout
    assert re.search(r"^ +5\d\.\d+ % .* hot_six$", report, re.M)


def test_nothing_without_a_period(image, boot):
    streams = streams_of(boot(image(work=10), "quiet.pieces"))
    assert set(streams) == {(0, 0)}
    assert counters_of(list(records_of(streams[0, 0])))["interrupts"] == 0


def test_depth(image, boot):
    """Stacks that are cut say so."""
    streams = streams_of(boot(image(["SAMPLING_PERIOD=100us", "TANDEM_SAMPLING_DEPTH=5"], work=400), "cut.pieces"))
    samples = [record for record in records_of(streams[0, 1]) if record.kind == SAMPLE]
    assert len(samples) > 1000 and max(len(record.words) for record in samples) == 5
    assert {len(record.words) < 5 for record in samples if record.aux == 0} == {False, True}
    assert {len(record.words) for record in samples if record.aux == 1} == {5}


def test_cost_of_an_event(image, boot):
    """With shift=0 the emulator's ns are instructions."""
    streams = streams_of(boot(image(["TANDEM_BUFFER=256k"], work=10, cost=1), "cost.pieces", shift=0))
    records = list(records_of(streams[0, 0]))
    assert sum(record.kind in (ENTER, LEAVE) for record in records) >= 10000
    instructions = counters_of(records)["ps a record"] / 1000
    print(f"{instructions} instructions a record of enter or leave, with the clock")
    assert 20 < instructions <= 150
