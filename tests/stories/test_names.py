# SPDX-License-Identifier: GPL-3.0-or-later
"""What samples are called: code that no symbol table of a file names, or no file has."""
import collections
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

from samples import samples_of

CLOCKS = """#include <time.h>
int main(void)
{
    struct timespec now, begin;
    for (clock_gettime(CLOCK_MONOTONIC, &begin), now = begin; now.tv_sec - begin.tv_sec < 2;)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return 0;
}
"""


def shares_of(prv):
    """{innermost function: its share of the samples}, and the stacks."""
    samples = [stack for samples in samples_of(prv).values() for stack, _ in samples]
    assert len(samples) > 40
    innermost = [stack[-1] for stack in samples]
    return {name: innermost.count(name) / len(samples) for name in innermost}, samples


def has_nameless_part(function, tmp_path):
    """Whether a function of the kernel's module calls code there that no symbol has, by binutils' reading of this module."""
    maps = re.search(r"^(\w+)-(\w+) .*\[vdso\]$", pathlib.Path("/proc/self/maps").read_text(), re.M)
    begin, end = (int(address, 16) for address in maps.groups())
    image = tmp_path / "vdso.so"
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(begin)
        image.write_bytes(memory.read(end - begin))
    symbols = subprocess.run(["readelf", "-W", "--dyn-syms", image], check=True, capture_output=True, text=True).stdout
    spans = {name: (int(value, 16), int(value, 16) + int(size))
             for value, size, name in re.findall(r": (\w+) +(\d+) FUNC .* (\w+)@@", symbols)}
    first, after = spans[function]
    code = subprocess.run(["objdump", "-d", f"--start-address={first}", f"--stop-address={after}", image], check=True,
                          capture_output=True, text=True).stdout
    called = [int(target, 16) for target in re.findall(r"\t(?:call|bl) +(?:0x)?([0-9a-f]+)", code)]
    return any(not any(low <= target < high for low, high in spans.values()) for target in called)


@pytest.mark.parametrize("words", [["--sampling-period", "2ms"], ["--sampling-period", "2ms", "--no-merge"]])
def test_vdso(run, tandem, compile_program, tmp_path, machine, words):
    """A loop that asks for the time is in the function of the kernel's module, below the C library's."""
    program = compile_program(CLOCKS, name="clocks")
    run(tandem, "record", *words, "-o", "app.prv", "--", program, check=True)
    if "--no-merge" in words:
        run(tandem, "merge", "app.tandem", check=True)
    shares, stacks = shares_of(tmp_path / "app.prv")
    (name,) = [name for name in shares if re.fullmatch("__(vdso|kernel)_clock_gettime", name)]
    below = [stack for stack in stacks if stack[-2:] == [name, "[vdso]"]] if has_nameless_part(name, tmp_path) else []
    assert shares[name] + len(below) / len(stacks) > 0.5, shares
    assert len(below) / len(stacks) == shares.get("[vdso]", 0)
    assert not [other for other in shares if "+0x" in other or other.startswith("0x")]
    assert [stack for stack in stacks if stack[-1] == name and stack[-3:-1] == ["main", "clock_gettime"]]
    assert f"{name} ([vdso])" in (tmp_path / "app.pcf").read_text()
    for command in ("report", "stat"):
        assert re.search(rf" {name}$", run(tandem, command, "app.prv", check=True).stdout, re.M)


LIBRARY = """static volatile int sink;
static void __attribute__((noinline)) spin(void) { for (int i = 0; i < 1000000; i++) sink = i; }
static void __attribute__((noinline)) turn(void) { for (int i = 0; i < 1000000; i++) sink += i; }
void work(void) { for (int i = 0; i < 1000; i++) spin(), turn(); }
"""


def objcopy(*words):
    subprocess.run(["objcopy", *map(str, words)], check=True)


def prepare(library, kept):
    """Strips a library; what is kept of its symbols is in another file, or packed into this one."""
    symbols = library.with_name("symbols")
    objcopy("--only-keep-debug", library, symbols)
    if kept == "packed":
        objcopy("--strip-debug", symbols)
    objcopy("--strip-all", *["--remove-section=.note.gnu.build-id"] * (kept == "linked"), library)
    if kept == "linked":
        subprocess.run(["objcopy", "--add-gnu-debuglink=symbols", library.name], check=True, cwd=library.parent)
    else:
        symbols.write_bytes(lzma.compress(symbols.read_bytes()))
        if kept == "packed":
            objcopy(f"--add-section=.gnu_debugdata={symbols}", library)
        symbols.unlink()


@pytest.mark.parametrize("kept", ["nothing", "packed", "linked"])
def test_stripped_library(run, tandem, build_dir, compile_program, tmp_path, kept):
    """Two functions that a library does not export: each is one of the library's, or has its name if that is kept anywhere."""
    if kept == "packed" and "unxz_lzma" not in (build_dir / "build.ninja").read_text():
        pytest.skip("this build has no liblzma")
    library = tmp_path / "libwork.so"
    shutil.copy(compile_program(LIBRARY, flags=["-shared", "-fPIC"], name=library.name), library)
    prepare(library, kept)
    caller = compile_program("void work(void);\nint main(void) { work(); return 0; }\n", libraries=[library], name="calls")
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", caller, check=True)
    shares, stacks = shares_of(tmp_path / "app.prv")
    largest = sorted(shares, key=shares.get)[-2:]
    assert min(shares[name] for name in largest) > 0.02 and sum(shares[name] for name in largest) > 0.9, shares
    if kept == "nothing":
        assert all(re.fullmatch(rf"{re.escape(library.name)}\+0x[0-9a-f]+", name) for name in largest)
    else:
        assert set(largest) == {"spin", "turn"}
    assert [stack for stack in stacks if stack[-3:-1] == ["main", "work"]]
    for command in ("report", "stat"):
        text = run(tandem, command, "app.prv", check=True).stdout
        assert all(re.search(rf" {re.escape(name)}$", text, re.M) for name in largest)
    assert (f"{library.name}.c:2" in (tmp_path / "app.pcf").read_text()) == (kept == "linked"), "lines come from debug information"


@pytest.fixture
def made_code(run, tandem, compile_program, tmp_path):
    """made_code(end, *options of record) -> [{innermost function: share of the samples}] of the images, in their order."""
    files = set()

    def record_jit(end, *options):
        result = run(tandem, "record", "--sampling-period", "500us", *options, "-o", "app.prv", "--", compile_program("jit"), end)
        files.update(pathlib.Path(f"/tmp/perf-{pid}.map") for pid in re.findall(r"^\d+$", result.stdout, re.M))
        if "--no-merge" in options:
            return files
        assert " 0 lost" in result.stderr, result.stderr
        return shares_of_rows(tmp_path / "app.prv")

    yield record_jit
    for file in files:
        file.unlink(missing_ok=True)


def shares_of_rows(prv):
    rows = []
    for _, samples in sorted(samples_of(prv).items()):
        names = collections.Counter(stack[-1] for stack, _ in samples)
        rows.append({name: number / sum(names.values()) for name, number in names.items()})
    return rows


def check_known(shares):
    """Of a hundred samples at least."""
    assert shares["made one"] == pytest.approx(1 / 3, abs=0.18), shares
    assert shares["made::two(int)"] == pytest.approx(2 / 3, abs=0.18), shares


def check_unknown(shares):
    assert shares["[JIT code]"] > 0.9 and not [name for name in shares if "made" in name or name.startswith("0x")], shares


@pytest.mark.parametrize("end", ["exit", "kill"])
def test_jit(made_code, tmp_path, end):
    """Functions that a just-in-time compiler told of have their names."""
    shares, = made_code(end)
    check_known(shares)
    assert "made one ([JIT code])" in (tmp_path / "app.pcf").read_text()


@pytest.mark.parametrize("end", ["silent", "gone"])
def test_jit_untold(made_code, end):
    """All code of which nobody told is one function."""
    shares, = made_code(end)
    check_unknown(shares)


def test_jit_of_a_parent(made_code):
    for shares in made_code("child"):
        check_known(shares)


def test_jit_before_exec(run, tandem, made_code, tmp_path):
    """The file is that of the program before the exec; what comes after has other code at other places."""
    made_code("exec")
    names = {name for shares in shares_of_rows(tmp_path / "app.prv") for name in shares}
    assert {"made one", "made::two(int)", "[JIT code]"} <= names


@pytest.mark.parametrize("end, knows", [("exit", True), ("kill", False)])
def test_jit_merged_later(run, tandem, made_code, tmp_path, end, knows):
    """What a process told at its end is kept with the run; the file of one that was killed may be gone, or another's."""
    file, = made_code(end, "--no-merge")
    file.write_text("1 ffffffffffff of another process\n")
    os.utime(file, (time.time() + 60, time.time() + 60))
    run(tandem, "merge", "app.tandem", check=True)
    shares, = shares_of_rows(tmp_path / "app.prv")
    (check_known if knows else check_unknown)(shares)


INLINED = """#define INLINED static inline __attribute__((always_inline))
static volatile int sink;
INLINED void innermost(int n) { for (int i = 0; i < n; i++) sink += i; }
INLINED void middle(int n) { innermost(n); }
static __attribute__((noinline)) void outermost(int n) { middle(n); }
int main(int argc, char **argv)
{
    for (int i = 0; i < 2000; i++)
        outermost(argc * 1000000);
    return 0;
}
"""


@pytest.mark.parametrize("flags, frames", [("-g", ["main", "outermost", "middle", "innermost"]), ("-g0", ["main", "outermost"])])
def test_inlined_functions(run, tandem, compile_program, tmp_path, flags, frames):
    """Functions that the compiler put into others are frames of their own, if the debug information tells of them."""
    program = compile_program(INLINED, flags=["-O2", flags], name="inlined")
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", program, check=True)
    shares, stacks = shares_of(tmp_path / "app.prv")
    assert shares[frames[-1]] > 0.9
    assert len([stack for stack in stacks if stack[-len(frames):] == frames]) > 0.9 * len(stacks)
    told = run(tandem, "report", "app.prv", check=True).stdout
    assert [line for line in told.splitlines() if re.search(rf" % +{frames[-1]}$", line)]
    lines = (tmp_path / "app.pcf").read_text()
    assert ("inlined.c:3" in lines) == ("inlined.c:5" in lines) == (flags == "-g")
