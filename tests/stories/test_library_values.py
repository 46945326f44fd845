# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem record --library-values`: arguments and results of any library's functions, by descriptions."""
import collections
import platform

import pytest

import streams

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has trampolines")

FIRST, LAST, TYPE = 92040000, 92046047, 3
PROTOTYPES = """# Functions of described.c.
library described
typedef unsigned short half;
typedef struct { int n; } some;
long d_many(char a, short b, int c, long d, unsigned char e, unsigned f, int g, half h); : a, g, return
double d_float(int n, double x, float y, const double *z);
float d_half(float x);
int d_pointed(const int *in, unsigned long *out, short *both);
int d_astray(const int *in, long *out); : in, out, return
void d_none(void);
int d_struct(some s, int n);
"""


def values(directory):
    """{label: [values]}, those that are 0 left out."""
    found = collections.defaultdict(list)
    for ring in streams.rings(directory):
        records = list(streams.read_stream(ring))
        labels = {r.id: streams.told(r) for r in records if r.kind == streams.DEFINE and r.aux == TYPE}
        for r in records:
            value = (r.words[0] - (r.words[0] >> 63 << 64) if r.words else r.aux) if r.kind == streams.EVENT else 0
            if value and FIRST <= r.id <= LAST:
                found[labels[r.id]].append(value)
    return dict(found)


@pytest.fixture
def described(compile_program, tmp_path):
    """The program, with a description of its library in the user's directory of configuration."""
    library = compile_program("described.c", flags=["-w", "-fPIC", "-shared"], name="libdescribed.so")
    (tmp_path / "config/tandem/libraries").mkdir(parents=True)
    (tmp_path / "config/tandem/libraries/described.library").write_text(PROTOTYPES)
    return compile_program("described_calls.c", flags=["-w"], libraries=[library, f"-Wl,-rpath,{library.parent}"])


@pytest.fixture
def record(run, tandem, tmp_path):
    """record(library, program, options...) -> the result, and the values."""

    def record_values(library, program, *options):
        words = [tandem, "record", "--keep", "--force", "-o", "out.prv", "--library", library, *options, "--", program]
        result = run(*words, env={"XDG_CONFIG_HOME": tmp_path / "config"})
        return result, values(tmp_path / "out.tandem")

    return record_values


# By the program's text; numbers with a fraction in thousandths.
MANY = {"d_many: a": [-1], "d_many: g": [-7], "d_many: return": [-1 - 2 - 3 - 4000000000 + 255 + 4000000000 - 7 + 65535]}
ASTRAY = {"d_astray: return": [1, 1]}
EVERYTHING = {
    "d_float: n": [-1, 2], "d_float: x [1/1000]": [-2500], "d_float: y [1/1000]": [10**12], "d_float: z [1/1000]": [63, 63],
    "d_float: return [1/1000]": [10**12 - 3438 + 1, 2063], "d_half: x [1/1000]": [3000], "d_half: return [1/1000]": [1500],
    "d_pointed: in": [-7, 41], "d_pointed: out": [10**12 - 7, 10**12 + 41], "d_pointed: both": [-5, -15],
}  # fmt: skip


def test_values_that_a_description_chooses(described, run, record):
    alone = run(described)
    result, found = record("described", described)
    assert (result.stdout, result.returncode) == (alone.stdout, 0) and found == {**MANY, **ASTRAY}
    assert record("libdescribed.so*", described)[1] == found
    assert record("described", described, "--library-values", "none")[1] == {}


def test_values_that_the_user_chooses(described, run, record):
    wishes = "d_float(n,x,y,z)->return d_half(x)->return, d_pointed(in, out,both)"
    result, found = record("described", described, "--library-values", wishes)
    assert result.stdout == run(described).stdout and found == EVERYTHING
    _, found = record("described", described, "--library-values", "d_[hm]*->return")
    assert set(found) == {"d_half: return [1/1000]", "d_many: return"}
    _, found = record("described", described, "--library-values", "*->return", "--library-exclude", "d_p*,d_f*")
    assert set(found) == {"d_half: return [1/1000]", "d_many: return", "d_astray: return"}


@pytest.mark.parametrize(
    "wish, sentence",
    [
        ("nonesuch(n)", "what arguments nonesuch has is said by no description"),
        ("d_many(z)", "d_many has no argument z; it has: a, b, c, d, e, f, g, h"),
        ("d_none->return", "d_none returns nothing"),
        ("d_struct(n)", "d_struct(n) cannot be recorded"),
        ("d_many", '"d_many" is not like FUNCTION(ARGUMENT,ARGUMENT)'),
        ("d_many(a", '"d_many(a" is not like FUNCTION(ARGUMENT,ARGUMENT)'),
    ],
)
def test_wishes_that_cannot_be_fulfilled(described, record, wish, sentence, tmp_path):
    result, _ = record("described", described, "--library-values", wish)
    assert result.returncode == 2 and sentence in result.stderr and result.stdout == ""
    assert not (tmp_path / "out.tandem").exists()


def test_a_faulty_description_is_told(described, record, tmp_path):
    path = tmp_path / "config/tandem/libraries/described.library"
    path.write_text("library described\nint f(int n); : n\nint g(int n)\n")
    result, _ = record("described", described)
    assert result.returncode == 2 and f"{path}:3: " in result.stderr


def test_bytes_of_zlib(compile_program, record, run, tandem):
    """The description that is installed; the program counts its own bytes."""
    result, found = record("z", compile_program("zlib_sizes.c", libraries=["-lz"]))
    sums = [sum(found[name]) for name in ("compress2: sourceLen", "compress2: destLen", "uncompress: destLen")]
    assert sums == [int(word) for word in result.stdout.split()] and sums[0] == sums[2] > 100000
    assert sorted(found["uncompress: sourceLen"]) == sorted(found["compress2: destLen"])
    run(tandem, "check", "out.prv", check=True)
    for view in ("library-values:compress2: sourceLen", "library-results:compress2: destLen"):
        table = run(tandem, "histogram", "--view", view, "--statistic", "bursts", "out.prv", check=True).stdout
        assert len(table.splitlines()) > 4, table


@pytest.mark.parametrize("name", ["blas", "c", "fftw3f", "hdf5_serial", "openblas", "z"])
def test_descriptions_that_are_installed(record, name):
    result, _ = record(name, "/bin/true")
    assert result.returncode == 0 and "library-values" not in result.stderr
    result, _ = record(name, "/bin/true", "--library-values", "*->return")
    assert result.returncode == 0, result.stderr


def test_bytes_of_streams(compile_program, record):
    """fwrite and fread of the C library; the program knows what it wrote."""
    result, found = record("c", compile_program("stream_sizes.c"), "--library-values", "fwrite(size,n)->return fread->return")
    written, read = result.stdout.split()
    assert sum(s * n for s, n in zip(found["fwrite: size"], found["fwrite: n"], strict=True)) == int(written)
    assert sum(found["fread: return"]) == int(read) and sum(found["fwrite: return"]) == sum(found["fwrite: n"])


@pytest.mark.parametrize("n, length, is_good", [(2048, 10, True), (2049, 10, False), (2000, 100, False)])
def test_as_many_values_as_there_are_types(record, described, tmp_path, n, length, is_good):
    """Each value has an event type of its own, and the kernel bounds what the program is told of them."""
    lines = (f"int f{i:0{length}}(int a); : a\n" for i in range(n))
    (tmp_path / "config/tandem/libraries/described.library").write_text("library described\n" + "".join(lines))
    result, _ = record("described", described)
    assert (result.returncode == 2 and "too many values" in result.stderr) != is_good, result.stderr


# Programs of coreutils, with options that move their bytes by these calls: the bytes that results of the calls add up to.
MOVED = [
    (["dd", "if=in", "of=out", "bs=4096"], {"read": 1_000_000, "write": 1_000_000}, {"read": 246, "write": 245}),
    (["dd", "if=in", "of=out", "bs=1M"], {"read": 1_000_000, "write": 1_000_000}, {"read": 2, "write": 1}),
    (["sh", "-c", "cat in | cat >out"], {"read": 2_000_000, "write": 2_000_000}, {}),
    (["sort", "-o", "out", "in"], {"fread_unlocked": 1_000_000}, {}),
]


@pytest.mark.parametrize("command, moved, calls", MOVED, ids=["dd", "dd-1M", "cat", "sort"])
@pytest.mark.parametrize("sampling", [("0",), ("1ms", "--sampling-clock", "real")], ids=["unsampled", "sampled"])
def test_bytes_of_others(run, tandem, tmp_path, command, moved, calls, sampling):
    """`--library c` sees input and output, also by calls that we have wrappers of; and the program moves what it did."""
    (tmp_path / "in").write_text("".join(f"{i * 7919 % 100_000:09}\n" for i in range(100_000)))
    run(*command, check=True)
    expected = (tmp_path / "out").read_bytes()
    (tmp_path / "out").unlink()
    words = ["--keep", "--library", "c", "--sampling-period", *sampling, "-o", "moved.prv"]
    result = run(tandem, "record", *words, "--", *command)
    assert result.returncode == 0 and (tmp_path / "out").read_bytes() == expected, result.stderr
    found = values(tmp_path / "moved.tandem")
    sums = {name: sum(value for value in found[f"{name}: return"] if value > 0) for name in moved}
    assert sums == moved
    names = run(tandem, "histogram", "moved.prv", "--view", "library-functions", "--csv", "-", check=True).stdout.splitlines()[0]
    assert "read" in names and not {"malloc [ns]", "strlen [ns]", "memcpy [ns]"} & set(names.split(","))
    for name, n in calls.items():
        assert len(found[f"{name}: count"]) == n


def test_functions_that_are_recorded_by_default(described, record, run, tandem, tmp_path):
    """A description may choose them; the user's options go before it, and values that are wished for are added."""
    path = tmp_path / "config/tandem/libraries/described.library"
    path.write_text(PROTOTYPES + "default d_half d_po*\ndefault nothing\n")

    def names(*options):
        result, _ = record("described", described, *options)
        assert result.returncode == 0, result.stderr
        table = run(tandem, "histogram", "out.prv", "--view", "library-functions", "--csv", "-", check=True).stdout
        return {name.removesuffix(" [ns]") for name in table.splitlines()[0].split(",")[1:]} - {"End", "Outside"}

    assert names() == names("--library-values", "none") == {"d_half", "d_pointed"}
    assert names("--library-values", "d_many(a)") == {"d_half", "d_pointed", "d_many"}
    assert names("--library-exclude", "d_half") == {"d_pointed"}
    assert names("--library-functions", "d_none") == {"d_none"}
    assert {"d_half", "d_many", "d_none", "d_float"} <= names("--library-functions", "*")
