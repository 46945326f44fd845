# SPDX-License-Identifier: GPL-3.0-or-later
"""`--library` on AArch64: the library, compiled by a cross compiler without MPI, in programs under qemu's emulation of a process.

Emulation has no process_vm_readv: a number that is pointed to is recorded here if it is on the thread's own stack. A char is
unsigned on AArch64."""
import concurrent.futures
import json
import pathlib
import subprocess
import sys

import pytest

from test_library import KNOWN, count
from test_library_values import values

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "promises"))
from test_foreign_names import GUARDED, exported, program_of  # noqa: E402, F401

COMPILER = {".c": "aarch64-linux-gnu-gcc", ".cc": "aarch64-linux-gnu-g++"}
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
PARTS = {"formats", "system", "run", "tandem-inside", "tandem-library-inside"}
OF_X86 = ("-fcf-protection", "-m64", "-march", "-mtune")
PLAN = """92040000 d_many a i0u1; 92040001 d_many g i6i4; 92040002 d_many h i7u2; 92044000 d_many return ri8; 92040003 d_float x x0f8;
92040004 d_float z i1*f8; 92044001 d_float return yf8; 92040005 d_pointed in i0*i4; 92044002 d_pointed out i1&u8; 92044003 d_half return yf4;"""


@pytest.fixture(scope="session")
def arm_library(build_dir, tmp_path_factory):
    """libtandem.so of AArch64, from the sources and with the flags of the build under test."""
    directory = tmp_path_factory.mktemp("aarch64")
    targets = json.loads((build_dir / "meson-info/intro-targets.json").read_text())
    jobs = []
    for target in (target for target in targets if target["name"] in PARTS and target["type"] == "static library"):
        for group in (group for group in target["target_sources"] if group.get("language") == "c"):
            flags = [flag for flag in group["parameters"] if not flag.startswith(OF_X86)]
            for source in (name for name in group["sources"] + group["generated_sources"] if name.endswith((".c", ".S"))):
                jobs.append(["aarch64-linux-gnu-gcc", *flags, "-O1", "-Wno-error", "-c", source, "-o", directory / f"{len(jobs)}.o"])

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for result in pool.map(lambda job: subprocess.run(job, cwd=build_dir, capture_output=True, text=True), jobs):
            assert result.returncode == 0, result.stderr
    library = directory / "libtandem.so"
    objects = [job[-1] for job in jobs]
    subprocess.run(["aarch64-linux-gnu-gcc", "-shared", "-o", library, *objects, "-Wl,-z,defs", "-Wl,-z,nodelete", "-lm"], check=True)
    return library


@pytest.fixture
def emulate(arm_library, compile_program, run, tmp_path):
    """emulate(program, library, flags, settings) -> the result without and with tandem; its run is out.tandem."""

    def emulate_both(program, library, flags="-O1", **settings):
        suffix = ".cc" if library.endswith(".cc") else ".c"
        made = compile_program(library, flags=["-w", "-fPIC", "-shared", *flags.split()], name="libwrapped.so", compiler=COMPILER[suffix])
        path = compile_program(program, flags=["-w", *flags.split()], libraries=[made, f"-Wl,-rpath,{made.parent}"], compiler=COMPILER[suffix])
        settings = {f"TANDEM_{name}": value for name, value in settings.items()}
        env = {"TANDEM_LIBRARY": "wrapped", "TANDEM_OUTPUT": tmp_path / "out", "TANDEM_FORCE": "1", "TANDEM_MERGE": "0", **settings}
        return run(*EMULATOR, path), run(*EMULATOR, "-E", f"LD_PRELOAD={arm_library}", path, env=env)

    return emulate_both


@pytest.mark.parametrize("flags", ["-O0", "-O2 -mbranch-protection=standard", "-O3 -Wl,-z,now"])
@pytest.mark.parametrize("program, library", [("wrapped_calls.c", "wrapped.c"), ("wrapped_throws.cc", "wrapped_cxx.cc")])
def test_a_program_behaves_the_same(emulate, tmp_path, program, library, flags):
    seen = []
    for settings in ({}, {"LIBRARY_SHORT": "all"}):
        alone, recorded = emulate(program, library, flags, **settings)
        assert alone.stdout.count("\n") > 8 and (recorded.stdout, recorded.returncode) == (alone.stdout, alone.returncode)
        seen.append(count(tmp_path / "out.tandem"))
    assert seen[0] == seen[1] and sum(seen[0].values()) > 200
    assert library != "wrapped.c" or {name: seen[0][name] for name in KNOWN} == KNOWN


def test_samples_do_not_disturb_it(emulate, tmp_path):
    alone, recorded = emulate("wrapped_calls.c", "wrapped.c", SAMPLING_PERIOD="1ms")
    assert (recorded.stdout, recorded.returncode) == (alone.stdout, alone.returncode)
    calls = count(tmp_path / "out.tandem")
    assert {name: calls[name] for name in KNOWN} == KNOWN


LIBRARY = """
void w_busy(long n) { volatile double x = 0; for (long i = 0; i < n; i++) x += 0.5; }
int w_through(int (*function)(void)) { return 1 + function(); }
"""
PROGRAM = """
void w_busy(long n); int w_through(int (*function)(void));
static __attribute__((noinline)) int inner(void) { w_busy(20000000); return 1; }
static __attribute__((noinline)) int outer(void) { return 1 + w_through(inner); }
int main(void) { return outer(); }
"""


@pytest.mark.parametrize("flags", ["-O1", "-O1 -fomit-frame-pointer"])
def test_stacks_lead_through_recorded_functions(emulate, run, tandem, tmp_path, flags):
    alone, recorded = emulate(PROGRAM, LIBRARY, flags, SAMPLING_PERIOD="2ms")
    assert alone.returncode == recorded.returncode == 3
    run(tandem, "merge", "out.tandem", "-o", "out.prv", check=True)
    stacks = [line.rsplit(" ", 1) for line in run(tandem, "convert", "--to", "collapsed", "out.prv", check=True).stdout.splitlines()]
    weights = {way: sum(int(n) for stack, n in stacks if stack.endswith(way)) for way in ("w_busy", ";main;outer;w_through;inner;w_busy")}
    assert weights["w_busy"] > 10**7 and min(weights.values()) > 0.95 * weights["w_busy"], stacks


def test_values_and_a_trace(emulate, run, tandem, tmp_path):
    alone, recorded = emulate("described_calls.c", "described.c", LIBRARY_PLAN=PLAN)
    assert alone.stdout == recorded.stdout and alone.returncode == recorded.returncode == 0
    assert values(tmp_path / "out.tandem") == {
        "d_many: a": [255], "d_many: g": [-7], "d_many: h": [65535], "d_many: return": [255 - 2 - 3 + 255 - 7 + 65535],
        "d_float: x [1/1000]": [-2500], "d_float: z [1/1000]": [63, 63], "d_float: return [1/1000]": [10**12 - 3438 + 1, 2063],
        "d_pointed: in": [41], "d_pointed: out": [10**12 - 7, 10**12 + 41], "d_half: return [1/1000]": [1500],
    }  # fmt: skip
    run(tandem, "merge", "out.tandem", "-o", "out.prv", check=True)
    table = run(tandem, "stat", "out.prv", check=True).stdout
    assert "d_pointed" in table and "d_none" in table


@pytest.mark.parametrize("how", ["linked", "of a plugin"])
def test_foreign_names(arm_library, program_of, run, how):  # noqa: F811
    """Functions that are called like OpenMP's get their calls, with all registers."""
    names = [name for name in exported(arm_library) if GUARDED.match(name) and not name.startswith("ompt_")]
    assert len(names) > 100
    program = program_of(names, how, compiler=COMPILER[".c"])
    result = run(*EMULATOR, "-E", f"LD_PRELOAD={arm_library}", *program, env={"TANDEM_MERGE": "0", "TANDEM_FORCE": "1"})
    assert (result.returncode, result.stdout) == (0, f"{len(names)} calls\n"), result.stderr
