# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem wrap`: descriptions made of headers, listed, and compared with the library."""
import platform
import re
import subprocess

import pytest

from counting import library_calls
from test_library_values import values

only_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has trampolines")

HEADER = """
typedef struct { int n; } some;
enum { D_FIRST = 1, D_SECOND, D_BRACE = '{', D_QUOTE = '\\'', D_TWO = '"' };
static inline int d_inline(int n) { return n + 1; }
extern long d_many(char a, short b, int c, long d, unsigned char e, unsigned f, int g, unsigned short) __attribute__((pure));
#pragma GCC diagnostic push
double d_float(int n, double x, float y, const double *z);
float d_half(float x);
int d_pointed(const int *in, unsigned long out[1], short *both);
int d_absent(some s);
"""


@pytest.fixture
def wrap(run, tandem, tmp_path, compile_program):
    """wrap(words...) -> the result; LIBRARY stands for a library with a header."""
    library = compile_program("described.c", flags=["-w", "-fPIC", "-shared"], name="libdescribed.so")
    (tmp_path / "described.h").write_text(HEADER)

    def call(*words):
        words = [library if word == "LIBRARY" else word for word in words]
        return run(tandem, "wrap", *words, env={"XDG_CONFIG_HOME": tmp_path / "config", "XDG_CONFIG_DIRS": f"{tmp_path}/site:/nonesuch"})

    return call


def test_a_description_is_made_of_a_header(wrap, tmp_path):
    path = tmp_path / "config/tandem/libraries/described.library"
    result = wrap("LIBRARY", "--header", tmp_path / "described.h")
    assert result.returncode == 0 and f"{path}: 4 of the 6 functions" in result.stdout
    assert path.read_text().splitlines()[1:] == [
        "library described",
        "int64_t d_many(int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint32_t f, int32_t g, uint16_t argument8);",
        "double d_float(int32_t n, double x, float y, const double *z);",
        "float d_half(float x);",
        "int32_t d_pointed(const int32_t *in, uint64_t *out, int16_t *both);",
    ]
    again = wrap("LIBRARY", "--header", tmp_path / "described.h")
    assert again.returncode == 1 and "exists: --force" in again.stderr
    assert f"{path}: yours, 4 functions of described" in wrap("--list").stdout
    with path.open("a") as file:
        file.write("int d_gone(int n);\n")
    checked = wrap("LIBRARY", "--check").stdout
    assert "5 functions are described, 4 of them exported" in checked
    assert re.search(r"1 are described and not exported\n  d_gone\n2 are exported and not described\n  d_astray\n  d_none\n", checked)


def test_values_of_such_a_description(wrap, run, tandem, compile_program, tmp_path):
    wrap("LIBRARY", "--header", tmp_path / "described.h")
    library = compile_program("described.c", flags=["-w", "-fPIC", "-shared"], name="libdescribed.so")
    program = compile_program("described_calls.c", flags=["-w"], libraries=[library, f"-Wl,-rpath,{library.parent}"])
    words = ["--library", "described", "--library-values", "d_pointed(in,both)", "-o", "out.prv", "--", program]
    run(tandem, "record", *words, env={"XDG_CONFIG_HOME": tmp_path / "config"}, check=True)
    labels = (tmp_path / "out.pcf").read_text()
    assert "d_pointed: in" in labels and "d_pointed: both" in labels and "d_pointed: out" not in labels


def test_a_description_of_the_site_is_found_after_ones_own(wrap, run, tandem, tmp_path):
    """zlib has three: of compress2, tandem's records sourceLen, the site's level, one's own destLen."""
    site, own = tmp_path / "site/tandem/libraries/z.library", tmp_path / "config/tandem/libraries/z.library"
    assert wrap("z", "--header", "zlib.h", "--site").stdout.startswith(f"{site}: ")
    line = next(line for line in site.read_text().splitlines() if " compress2(" in line)
    site.write_text(f"library z\n{line} : level\n")
    calls = [tandem, "record", "--force", "-o", "out.prv", "--library", "z", "--", "/usr/bin/python3", "-c",
             "import ctypes; z = ctypes.CDLL('libz.so.1'); out = ctypes.create_string_buffer(99);"
             "z.compress2(out, ctypes.byref(ctypes.c_ulong(99)), b'12345', ctypes.c_ulong(5), 3)"]  # fmt: skip
    calls[2:2] = ["--library-dlsym"]
    environment = {"XDG_CONFIG_HOME": tmp_path / "config", "XDG_CONFIG_DIRS": f"{tmp_path}/site:/nonesuch"}
    whose = {"the site's": site, "yours": own}
    for name in whose:
        if name == "yours":
            own.parent.mkdir(parents=True)
            own.write_text(f"library z\n{line} : destLen\n")
        listed = wrap("--list").stdout
        assert f"{whose[name]}: {name}, 1 functions of z\n" in listed and "z.library: tandem's, " in listed
        run(*calls, env=environment, check=True)
        labels = (tmp_path / "out.pcf").read_text()
        assert ("compress2: level" in labels) == (name == "the site's") and ("compress2: destLen" in labels) == (name == "yours")
        assert "compress2: sourceLen" not in labels


def test_the_c_library_exports_what_nm_says(wrap):
    nm = subprocess.run("nm -D --defined-only $(ldconfig -p | sed -n 's/.*libz.so.1 .* => //p' | head -1)", shell=True,
                        capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/sbin"}).stdout
    checked = wrap("z", "--check").stdout
    described = int(re.search(r"(\d+) of them exported", checked)[1])
    unknown = int(re.search(r"(\d+) are exported and not described", checked)[1])
    assert described + unknown == len(re.findall(r" [TWi] ", nm)) > 50


PROCESSES = """
import os, threading, zlib
def count():
    for _ in range(2000):
        zlib.crc32(b"1234")
threads = [threading.Thread(target=count) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if os.fork() == 0 and os.environ["TMPDIR"]:
    [zlib.compress(b"x" * 10) for _ in range(7)]
    os._exit(0)
os.wait()
if os.fork() == 0:
    os.execv("/usr/bin/python3", ["python3", "-c", "import zlib; [zlib.adler32(b'12') for _ in range(5)]"])
os.wait()
"""


@only_x86_64
def test_calls_counted_in_two_ways_agree(run, tandem, tmp_path):
    """Threads, a forked child and an executed one, of a library that is loaded later; short calls are counted."""
    result = run(tandem, "wrap", "z", "--check", "--", "/usr/bin/python3", "-c", PROCESSES, env={"TMPDIR": tmp_path})
    found = re.search(r"^functions recorded as often as counted: (\d+), with (\d+) calls$", result.stdout, re.MULTILINE)
    assert result.returncode == 0 and not result.stderr and found and int(found[1]) >= 4 and int(found[2]) >= 3 * 2000 + 5 + 3 * 7, result.stdout + result.stderr
    assert not list(tmp_path.iterdir())


@only_x86_64
@pytest.mark.parametrize("way, agrees", [("-O1", True), ("-O1 -Wl,-z,now", True), ("-O1 -fno-plt", False)])
def test_numbers_that_differ_are_printed(wrap, compile_program, way, agrees):
    """The audit interface does not see calls without a PLT, which are recorded; gcc makes no other difference."""
    library = compile_program("described.c", flags=["-w", "-fPIC", "-shared"], name="libdescribed.so")
    program = compile_program("described_calls.c", flags=["-w", *way.split()], libraries=[library, f"-Wl,-rpath,{library.parent}"])
    result = wrap("described", "--check", "--", program)
    if agrees:
        assert result.returncode == 0 and result.stdout.endswith("functions recorded as often as counted: 6, with 108 calls\n")
    else:
        assert result.returncode == 1 and "functions with other numbers of calls: 6" in result.stdout
        assert re.search(r"^ +recorded +counted  function\n +2 +0  d_astray\n", result.stdout, re.MULTILINE)
        assert re.search(r"^ +100 +0  d_none\n", result.stdout, re.MULTILINE)


@only_x86_64
def test_what_differs_from_run_to_run_is_no_fault(wrap, compile_program, tmp_path):
    """The program calls d_half once more each time that it runs."""
    library = compile_program("described.c", flags=["-w", "-fPIC", "-shared"], name="libdescribed.so")
    text = """#include <stdio.h>
    float d_half(float); void d_none(void);
    int main(void) {
        FILE *file = fopen("times", "a+"); int n;
        fputc('x', file); rewind(file);
        for (n = 0; fgetc(file) != EOF; n++) d_half(1);
        d_none();
    }"""
    program = compile_program(text, libraries=[library, f"-Wl,-rpath,{library.parent}"])
    result = wrap("described", "--check", "--", program)
    assert result.returncode == 0 and (tmp_path / "times").read_text() == "xxx"
    assert result.stdout.splitlines() == ["functions recorded as often as counted: 1, with 1 calls",
                                          "functions called more or less often from run to run: 1"]  # fmt: skip


@pytest.fixture
def linked_zlib(run, tandem, tmp_path, root):
    """linked_zlib(compiler, flags...) -> a program with a static zlib, linked with what `tandem wrap --link` made."""
    archive = subprocess.run(["gcc", "-print-file-name=libz.a"], capture_output=True, text=True, check=True).stdout.strip()
    made = run(tandem, "wrap", "--link", archive, check=True).stdout
    assert re.match(rf"libtandem-z.a: \d+ functions of {archive}; link with @libtandem-z.flags", made)

    def link(compiler, *flags):
        source = root / "tests/stories/programs/zlib_sizes.c"
        subprocess.run([compiler, *flags, source, "@libtandem-z.flags", "-o", "program"], check=True, cwd=tmp_path)
        return tmp_path / "program"

    return link


@only_x86_64
@pytest.mark.parametrize("way", ["gcc", "gcc -no-pie -O2", "clang -Wl,-z,now", "gcc -fcf-protection=full -Wl,--gc-sections"])
def test_calls_of_a_static_library(linked_zlib, run, tandem, tmp_path, way):
    """The program prints the bytes that its calls moved; it calls each function once for 1, 4, 13, ... bytes up to 200000."""
    program = linked_zlib(*way.split())
    n_calls = len([n for n in range(11 + 1) if (3 ** (n + 1) - 1) // 2 <= 200_000])
    told = run(program, check=True).stdout
    words = [tandem, "record", "--keep", "-o", "out.prv", "--library", "z", "--", program]
    assert run(*words, check=True).stdout == told and "libz" not in run("ldd", program).stdout
    recorded, _ = library_calls(tmp_path / "out.tandem")
    assert recorded["compress2"] == recorded["uncompress"] == n_calls and recorded["deflate"] == n_calls
    moved = [sum(values(tmp_path / "out.tandem")[name]) for name in ("compress2: sourceLen", "compress2: destLen", "uncompress: destLen")]
    assert moved == [int(word) for word in told.split()]
    run(tandem, "check", "out.prv", check=True)


def test_a_static_program_with_them_runs(linked_zlib, run):
    assert run(linked_zlib("gcc", "-static"), check=True).stdout == run(linked_zlib("gcc"), check=True).stdout


def test_files_for_the_linker_are_not_overwritten(linked_zlib, run, tandem, tmp_path):
    archive = subprocess.run(["gcc", "-print-file-name=libz.a"], capture_output=True, text=True, check=True).stdout.strip()
    before = (tmp_path / "libtandem-z.a").read_bytes()
    result = run(tandem, "wrap", "--link", archive)
    assert result.returncode == 1 and "exists: --force overwrites" in result.stderr
    run(tandem, "wrap", "--link", "--force", archive, check=True)
    assert (tmp_path / "libtandem-z.a").stat().st_size == len(before)
    run(tandem, "wrap", "--link", "--output", "other", archive, check=True)
    assert (tmp_path / "other.a").exists() and "other.a" in (tmp_path / "other.flags").read_text()


@pytest.mark.parametrize(
    "words, status, sentence",
    [
        (["nonesuch", "--check"], 1, "no library is called nonesuch"),
        (["/etc/passwd", "--check"], 1, "/etc/passwd: is no shared library"),
        (["LIBRARY", "--check"], 1, "there is no description of"),
        (["LIBRARY", "--header", "nonesuch.h"], 1, "the C compiler (cc) does not take these headers"),
        (["LIBRARY", "--header", "stdio.h"], 1, "the headers declare no function that"),
        (["LIBRARY"], 2, "takes --header, --link, --check or --list"),
        (["/etc/passwd", "--link"], 1, "nm failed"),
        (["nonesuch.a", "--link"], 1, "nm failed"),
        ([], 2, "takes one library"),
        (["z", "--header", "zlib.h", "--site", "--output", "x.library"], 2, "--site goes with --header"),
        (["z", "--check", "--", "nonesuch"], 1, "nonesuch"),
        (["z", "--header", "zlib.h", "--", "ls"], 2, "takes one library"),
        (["z", "--list"], 2, "--list takes no library"),
    ],
)
def test_what_goes_wrong_is_told(wrap, words, status, sentence):
    result = wrap(*words)
    assert result.returncode == status and sentence in result.stderr
