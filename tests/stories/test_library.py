# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem record --library`: functions of any library are recorded, and the program behaves as without it.

Of compilers, levels of optimization and ways of linking a subset is tried here: each value of each of them once or more."""
import pathlib
import platform
import re
import subprocess

import pytest

import streams
from counting import LIBRARY_NAMES, compile_counter, library_calls, read_counts

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has trampolines")

FUNCTION = 92000040
PYTHON = "/usr/bin/python3"
# Compiler, flags of the library, flags of the program.
WAYS = [
    ("gcc", "-O0", "-O0 -fcf-protection=full"),
    ("gcc", "-O2 -fcf-protection=full -Wl,-z,now", "-O2 -Wl,-z,now"),
    ("gcc", "-O3", "-O3 -fno-plt"),
    ("clang", "-O0 -Wl,-z,now", "-O1 -fno-plt"),
    ("clang", "-O3", "-O2 -fno-pie -no-pie"),
]

# Calls are recorded without trying first whether their function is short.
EACH = ("--library-short", "all")


def count(directory):
    """{function: calls}, of all processes: those that were recorded, and those that were counted instead."""
    recorded, counted = library_calls(directory)
    return recorded + counted


@pytest.fixture(scope="session")
def build(compile_program):
    """build(program, library, compiler, flags of the library, flags of the program) -> path of the program."""

    def build_both(program, library, compiler="gcc", of_library="-O1", of_program="-O1"):
        if library.endswith(".cc"):
            compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
        name = f"lib{pathlib.Path(library).stem}.so"
        flags = ["-w", "-fPIC", "-shared", *of_library.split()]
        made = compile_program(library, flags=flags, name=name, compiler=compiler)
        libraries = [made, f"-Wl,-rpath,{made.parent}"]
        return compile_program(program, flags=["-w", *of_program.split()], libraries=libraries, compiler=compiler)

    return build_both


@pytest.fixture
def record(run, tandem, tmp_path):
    """record(libraries, program...) -> the result, and the calls by function."""

    def record_calls(libraries, *program, options=(), **others):
        words = [tandem, "record", "--keep", "--force", "-o", "out.prv", "--library", libraries, *options, "--", *program]
        result = run(*words, **others)
        return result, count(tmp_path / "out.tandem")

    return record_calls


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("program, library", [("wrapped_calls.c", "wrapped.c"), ("wrapped_throws.cc", "wrapped_cxx.cc")])
def test_a_program_behaves_the_same(build, run, record, program, library, way):
    path = build(program, library, *way)
    alone = run(path)
    assert alone.stdout.count("\n") > 8
    seen = []
    for options in [(), ("--library-internal",), ("--sampling-period", "200us"), EACH]:
        result, calls = record("wrapped*", path, options=options)
        assert (result.stdout, result.returncode) == (alone.stdout, alone.returncode), result.stderr
        assert "0 lost" in result.stderr
        seen.append(calls)
    assert seen[0] == seen[2] == seen[3] and seen[0] <= seen[1] and sum(seen[0].values()) > 200


# By the program's text.
KNOWN = {"w_many": 4020, "w_recursive": 101, "w_callback": 7 + 75 * sum(range(1, 41)), "w_jump": 3000, "w_jump_through": 50, "w_thread": 4, "w_tail": 1, "w_ifunc": 1,
         "w_alias": 1, "w_aliased": 1, "w_variadic": 2, "w_exit_thread": 1}  # fmt: skip


@pytest.mark.parametrize("options", [(), EACH], ids=["tried", "each"])
def test_calls_are_exact(build, record, options):
    _, calls = record("libwrapped.so", build("wrapped_calls.c", "wrapped.c"), options=options)
    assert {name: calls[name] for name in KNOWN} == KNOWN
    assert "w_tail_inner" not in calls and "w_data" not in calls
    _, calls = record("wrapped", build("wrapped_calls.c", "wrapped.c"), options=["--library-internal", *options])
    assert calls["w_tail_inner"] == 1 and calls["w_jump"] == 3050


@pytest.mark.parametrize("options", [(), EACH], ids=["tried", "each"])
def test_a_call_that_was_left_ends_before_the_next_one(build, record, tmp_path, options):
    """A function that is left by longjmp, called again and again from the same place, is not open when it is called."""
    record("wrapped", build("wrapped_calls.c", "wrapped.c"), options=options)
    n_calls = 0
    for ring in (ring for ring in streams.rings(tmp_path / "out.tandem") if ring.name == "0.main.ring"):
        records = list(streams.read_stream(ring))
        names = {r.id: streams.told(r).split("\n")[0] for r in records if r.kind == streams.DEFINE and r.aux == LIBRARY_NAMES}
        open_calls = []
        for r in (r for r in records if getattr(r, "id", None) == FUNCTION):
            if r.kind == streams.LEAVE:
                open_calls.pop()
            elif r.kind == streams.ENTER:
                if names[r.aux] == "w_jump_through":
                    n_calls += 1
                    assert "w_jump_through" not in open_calls
                open_calls.append(names[r.aux])
    assert n_calls == 50


@pytest.mark.parametrize("flags", ["-O1", "-O1 -fno-plt", "-O1 -Wl,-z,now", "-O1 -fno-pie -no-pie"])
def test_addresses_stay_the_same(build, run, record, flags):
    path = build("wrapped_pointers.c", "wrapped.c", of_program=flags)
    alone = run(path).stdout
    result, calls = record("wrapped", path)
    assert result.stdout == alone == "110 1 1\n"
    assert calls == {"w_add": 10, "w_many": 10, "w_same": 1}


def test_plugins(build, compile_program, record):
    plugin = build("wrapped_plugin.c", "wrapped.c", of_program="-DPLUGIN -shared -fPIC")
    loader = compile_program("wrapped_plugin.c", flags=["-w"], libraries=["-ldl"])
    for name in (plugin, plugin.name):
        result, calls = record("wrapped", loader, name, env={"LD_LIBRARY_PATH": plugin.parent})
        assert result.stdout == "5050\n" * 3 and calls == {"w_add": 300}


@pytest.mark.parametrize("options", [(), EACH], ids=["tried", "each"])
def test_exceptions_end_calls_where_they_are_caught(build, run, record, tandem, options):
    """All calls are left, in the order in which they were entered."""
    record("wrapped_cxx", build("wrapped_throws.cc", "wrapped_cxx.cc"), options=options)
    dump = run(tandem, "dump", "out.tandem", check=True).stdout
    edges = re.findall(rf"\.main \d+ (enter|leave) {FUNCTION}", dump)
    assert edges.count("enter") == edges.count("leave") > 500


def test_the_trace_has_names_and_libraries(build, run, record, tandem, tmp_path):
    record("wrapped_cxx", build("wrapped_throws.cc", "wrapped_cxx.cc"))
    run(tandem, "check", "out.prv", check=True)
    labels = (tmp_path / "out.pcf").read_text()
    assert re.search(r"^\d+ +wrapped::over\(int\)$", labels, re.M) and re.search(r"^\d+ +wrapped::over\(double\)$", labels, re.M)
    functions = run(tandem, "histogram", "--view", "library-functions", "out.prv", check=True).stdout
    libraries = run(tandem, "histogram", "--view", "libraries", "out.prv", check=True).stdout
    facts = re.findall(r"^#tandem:library-function=(\d+) (\d+) \d+ \d+(?: (\d+) \d+)?$", (tmp_path / "out.prv").read_text(), re.M)
    calls = {value: int(n) + int(n_counted or 0) for value, n, n_counted in facts}
    for name, n in ((r"wrapped::over\(int\)", 101), (r"wrapped::catch.* const&\)", 301)):
        assert calls[re.search(rf"^(\d+) +{name}$", labels, re.M)[1]] == n
    table = run(tandem, "stat", "out.prv", check=True).stdout  # of those that took most
    assert re.search(r"^ +wrapped::\w+\(.*\) +\d+ ", table, re.M)
    assert "wrapped::over(double)" in functions and "libwrapped_cxx.so" in libraries


@pytest.mark.parametrize(
    "options, takes",
    [
        (["--library-functions", "wrapped::over"], r"_ZN7wrapped4over"),
        (["--library-functions", "wrapped::Derived::Derived,wrapped::Base::*"], r"_ZNK?7wrapped(7DerivedC|4Base)"),
        (["--library-functions", "_ZN7wrapped6throws*"], r"_ZN7wrapped6throws"),
        (["--library-exclude", "wrapped::*over*,wrapped::catches", "--library-exclude", "*through*"],
         r"(?!_ZN7wrapped(4over|7catches|7through))"),
        (["--library-functions", "@names", "--library-functions", "_ZN7wrapped6throws*"], r"_ZN7wrapped(4over|6throws)"),
    ],
)  # fmt: skip
def test_functions_are_chosen(build, record, tmp_path, options, takes):
    (tmp_path / "names").write_text("# some\n\n  wrapped::over  \nnonesuch*")
    path = build("wrapped_throws.cc", "wrapped_cxx.cc")
    _, everything = record("wrapped_cxx", path)
    _, calls = record("wrapped_cxx", path, options=options)
    assert calls and calls == {name: n for name, n in everything.items() if re.match(takes, name)}


@pytest.mark.parametrize("text, sentence", [(None, "No such file"), ("# no name\n\n", "list: has no line for --library-exclude"),
                                            ("x" * 200_000, "list: is too long for --library-exclude")])  # fmt: skip
def test_a_list_that_is_no_file_of_names(run, tandem, tmp_path, text, sentence):
    if text:
        (tmp_path / "list").write_text(text)
    result = run(tandem, "record", "--library", "c", "--library-exclude", "@list", "--", "true")
    assert result.returncode == 2 and sentence in result.stderr and not list(tmp_path.glob("*.prv"))


def test_several_libraries_by_any_name(build, run, record, tmp_path):
    path = build("wrapped_calls.c", "wrapped.c")
    library = re.search(r"(/\S*/libwrapped.so)", subprocess.run(["ldd", path], capture_output=True, text=True).stdout)[1]
    _, expected = record("wrapped", path)
    for name in ["wrapped,nonesuch", "libwrapped.so", library, "*/libwr*", "wrap?ed"]:
        assert record(name, path)[1] == expected, name
    result, calls = record("nonesuch", path, options=["--library", "wrapped"])
    assert calls == expected and "library: nothing was loaded that is 'nonesuch'" in result.stderr


def test_wishes_in_vain_are_told(build, run, record):
    path = build("wrapped_calls.c", "wrapped.c")
    alone = run(path).stdout
    result, calls = record("nonesuch,libz.so.1", path)
    assert "tandem: library: nothing was loaded that is 'nonesuch', 'libz.so.1'\n" in result.stderr
    assert result.stdout == alone and not calls
    result, calls = record("wrapped", path, options=["--library-functions", "nonesuch*"])
    assert "library: no other file calls functions that were asked for of 'wrapped'" in result.stderr
    assert result.stdout == alone and not calls


def test_the_environment_suffices(build, run, libtandem, tmp_path):
    path = build("wrapped_pointers.c", "wrapped.c")
    env = {"TANDEM_LIBRARY": "wrapped", "TANDEM_OUTPUT": tmp_path / "out", "TANDEM_KEEP": "1"}
    result = run(path, env=env, preload=libtandem, check=True)
    assert result.stdout == "110 1 1\n" and result.stderr == ""
    assert count(tmp_path / "out.tandem") == {"w_add": 10, "w_many": 10, "w_same": 1}


SLEEPS = """
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int n_cut = 0;
    for (int i = 0; i < 100; i++) {
        for (volatile int k = 0; k < 1000000; k++)
            ;
        n_cut += usleep(2000) != 0;
    }
    printf("%d cut short\\n", n_cut);
}
"""
REPLACES = """
#include <stdio.h>
#include <unistd.h>
static int n;
int usleep(useconds_t us) { n++; return 0; }
__attribute__((destructor)) static void tell(void) { if (n) printf("%d replaced\\n", n); }
"""


@pytest.mark.parametrize("binding", ["lazy", "now"])
def test_functions_that_others_take_the_place_of(record, tmp_path, binding):
    """The program's calls go where they would without us: to the sampler, which keeps its signal away from them, or to a library
    that is preloaded."""
    (tmp_path / "sleeps.c").write_text(SLEEPS)
    (tmp_path / "replaces.c").write_text(REPLACES)
    subprocess.run(["gcc", f"-Wl,-z,{binding}", "sleeps.c", "-o", "sleeps"], cwd=tmp_path, check=True, timeout=60)
    subprocess.run(["gcc", "-shared", "-fPIC", "replaces.c", "-o", "replaces.so"], cwd=tmp_path, check=True, timeout=60)
    options = ["--library-functions", "usleep", "--sampling-period", "1ms"]
    result, calls = record("c", tmp_path / "sleeps", options=options)
    assert result.stdout == "0 cut short\n" and calls == {"usleep": 100}
    result, calls = record("c", tmp_path / "sleeps", options=options, env={"LD_PRELOAD": tmp_path / "replaces.so"})
    assert result.stdout == "0 cut short\n100 replaced\n" and not calls


CTYPES = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.w_ld.restype = ctypes.c_longdouble
library.w_ld.argtypes = ctypes.c_longdouble, ctypes.c_double, ctypes.c_longdouble
print(sum(library.w_add(i, 1) for i in range(100)), library.w_ld(1.5, 2, 3), ctypes.c_int.in_dll(library, "w_data").value)
try:
    library.nonesuch
except AttributeError as error:
    print(error)
"""


def test_functions_looked_up_by_dlsym(compile_program, run, record):
    library = compile_program("wrapped.c", flags=["-w", "-fPIC", "-shared"], name="libwrapped.so")
    alone = run(PYTHON, "-c", CTYPES, library, check=True).stdout
    result, calls = record("wrapped", PYTHON, "-c", CTYPES, library, options=["--library-dlsym"])
    assert result.stdout == alone and calls == {"w_add": 100, "w_ld": 1}
    result, calls = record("wrapped", PYTHON, "-c", CTYPES, library)
    assert result.stdout == alone and not calls


COMPRESSES = """
import zlib, hashlib
data = bytes(range(256)) * 400
for level in range(1, 10):
    packed = zlib.compress(data, level)
    assert zlib.decompress(packed) == data
    print(level, len(packed), zlib.crc32(packed), zlib.adler32(packed))
"""


def test_calls_of_a_library_of_others_are_those_that_a_counter_sees(compile_program, run, record, tmp_path, tmp_path_factory):
    """zlib, which CPython calls: the counter defines the functions that it counts, so it has a run of its own."""
    names = {"deflate", "deflateEnd", "deflateInit_", "deflateInit2_", "inflate", "inflateEnd", "inflateInit2_", "crc32", "adler32"}
    counter = compile_counter(names, compile_program, tmp_path_factory)
    alone = run(PYTHON, "-c", COMPRESSES, env={"COUNTS": tmp_path / "counts"}, preload=counter, check=True)
    [counted] = read_counts(tmp_path).values()
    result, calls = record("z", PYTHON, "-c", COMPRESSES, options=["--library-internal"])
    assert result.stdout == alone.stdout
    assert {name: calls[name] for name in names if calls[name]} == counted and calls["deflate"] >= 9
    _, from_outside = record("z", PYTHON, "-c", COMPRESSES)
    assert from_outside["adler32"] == 9 < calls["adler32"] and from_outside["deflate"] == calls["deflate"]
