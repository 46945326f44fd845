# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem wrap`: descriptions made of headers, listed, and compared with the library."""
import re
import subprocess

import pytest

HEADER = """
typedef struct { int n; } some;
enum { D_FIRST = 1, D_SECOND };
static inline int d_inline(int n) { return n + 1; }
extern long d_many(char a, short b, int c, long d, unsigned char e, unsigned f, int g, unsigned short) __attribute__((pure));
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
        return run(tandem, "wrap", *words, env={"XDG_CONFIG_HOME": tmp_path / "config"})

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
    assert f"{path}: 4 functions of described" in wrap("--list").stdout
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


def test_the_c_library_exports_what_nm_says(wrap):
    nm = subprocess.run("nm -D --defined-only $(ldconfig -p | sed -n 's/.*libz.so.1 .* => //p' | head -1)", shell=True,
                        capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/sbin"}).stdout
    checked = wrap("z", "--check").stdout
    described = int(re.search(r"(\d+) of them exported", checked)[1])
    unknown = int(re.search(r"(\d+) are exported and not described", checked)[1])
    assert described + unknown == len(re.findall(r" [TWi] ", nm)) > 50


@pytest.mark.parametrize(
    "words, status, sentence",
    [
        (["nonesuch", "--check"], 1, "no library is called nonesuch"),
        (["/etc/passwd", "--check"], 1, "/etc/passwd: is no shared library"),
        (["LIBRARY", "--check"], 1, "there is no description of"),
        (["LIBRARY", "--header", "nonesuch.h"], 1, "the C compiler (cc) does not take these headers"),
        (["LIBRARY", "--header", "stdio.h"], 1, "the headers declare no function that"),
        (["LIBRARY"], 2, "takes --header, --check or --list"),
        ([], 2, "takes one library"),
        (["z", "--list"], 2, "--list takes no library"),
    ],
)
def test_what_goes_wrong_is_told(wrap, words, status, sentence):
    result = wrap(*words)
    assert result.returncode == status and sentence in result.stderr
