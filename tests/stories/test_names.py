# SPDX-License-Identifier: GPL-3.0-or-later
"""What samples are called: code that no symbol table of a file names, or no file has."""
import lzma
import re
import shutil
import subprocess

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
    assert len(samples) > 50
    innermost = [stack[-1] for stack in samples]
    return {name: innermost.count(name) / len(samples) for name in innermost}, samples


@pytest.mark.parametrize("words", [["--sampling-period", "2ms"], ["--sampling-period", "2ms", "--no-merge"]])
def test_vdso(run, tandem, compile_program, tmp_path, machine, words):
    """A loop that asks for the time is in the function of the kernel's module, below the C library's."""
    program = compile_program(CLOCKS, name="clocks")
    run(tandem, "record", *words, "-o", "app.prv", "--", program, check=True)
    if "--no-merge" in words:
        run(tandem, "merge", "app.tandem", check=True)
    shares, stacks = shares_of(tmp_path / "app.prv")
    name = max(shares, key=shares.get)
    assert re.fullmatch("__(vdso|kernel)_clock_gettime", name) and shares[name] > 0.5, shares
    assert not [other for other in shares if "+0x" in other or other.startswith("0x")]
    assert [stack for stack in stacks if stack[-1] == name and stack[-3:-1] == ["main", "clock_gettime"]]
    assert f"{name} ([vdso])" in (tmp_path / "app.pcf").read_text()
    for command in ("report", "stat"):
        assert re.search(rf" {name}$", run(tandem, command, "app.prv", check=True).stdout, re.M)


LIBRARY = """static volatile int sink;
static void __attribute__((noinline)) spin(void) { for (int i = 0; i < 1000000; i++) sink = i; }
static void __attribute__((noinline)) turn(void) { for (int i = 0; i < 1000000; i++) sink += i; }
void work(void) { for (int i = 0; i < 200; i++) spin(), turn(); }
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
    assert min(shares[name] for name in largest) > 0.2 and sum(shares[name] for name in largest) > 0.9, shares
    if kept == "nothing":
        assert all(re.fullmatch(rf"{re.escape(library.name)}\+0x[0-9a-f]+", name) for name in largest)
    else:
        assert set(largest) == {"spin", "turn"}
    assert [stack for stack in stacks if stack[-3:-1] == ["main", "work"]]
    for command in ("report", "stat"):
        text = run(tandem, command, "app.prv", check=True).stdout
        assert all(re.search(rf" {re.escape(name)}$", text, re.M) for name in largest)
    assert (f"{library.name}.c:2" in (tmp_path / "app.pcf").read_text()) == (kept == "linked"), "lines come from debug information"
