# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem record --library-values` without a description: arguments and results are found by debug information."""
import collections
import platform
import shutil
import subprocess

import pytest

from test_library_values import EVERYTHING, record  # noqa: F401: a fixture

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has trampolines")

WISHES = "d_float(n,x,y,z)->return d_half(x)->return, d_pointed(in, out,both)"


def linked(library):
    return [library, f"-Wl,-rpath,{library.parent}"]


def stripped(library, *, keep_id):
    """Takes the debug information out of the library: into a file beside it, or into one that its build ID names."""
    debug = library.with_suffix(".debug")
    subprocess.run(["objcopy", "--only-keep-debug", library, debug], check=True)
    subprocess.run(["objcopy", "--strip-unneeded", *([] if keep_id else ["--remove-section=.note.gnu.build-id"]), library], check=True)
    subprocess.run(["objcopy", f"--add-gnu-debuglink={debug}", library], check=True, cwd=library.parent)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("how", ["-O0", "-O2", "split"])
def test_values_of_c(compile_program, run, record, compiler, how):  # noqa: F811
    flags = ["-w", "-fPIC", "-shared", "-Wl,--build-id", "-O2" if how == "split" else how]
    library = compile_program("described.c", flags=[*flags, f"-DHOW={how}"], name="libdescribed.so", compiler=compiler)
    if how == "split":
        stripped(library, keep_id=compiler == "gcc")
    program = compile_program("described_calls.c", flags=["-w"], libraries=linked(library))
    result, found = record("described", program, "--library-values", WISHES)
    assert result.stdout == run(program).stdout and found == EVERYTHING, result.stderr
    result, _ = record("described", program, "--library-values", "d_many(z)")
    assert result.returncode == 2 and "d_many has no argument z; it has: a, b, c, d, e, f, g, h" in result.stderr


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("optimised", ["-O0", "-O2"])
def test_values_of_cxx(compile_program, record, compiler, optimised):  # noqa: F811
    """The library prints what its functions were called with; structures by value are before what is recorded."""
    flags = [optimised, "-w", "-std=c++17", "-fstandalone-debug" if compiler == "clang++" else "-g"]
    library = compile_program("debugged.cc", flags=[*flags, "-fPIC", "-shared"], name="libdebugged.so", compiler=compiler)
    program = compile_program("debugged_calls.cc", flags=flags, libraries=linked(library), compiler=compiler)
    wishes = "deep::*(n,m,k,x,s,b) Object::*(n) Object::make->return"
    result, found = record("debugged", program, "--library-values", wishes)
    said = collections.defaultdict(list)
    for label, value in (line.split("=") for line in result.stdout.splitlines()):
        said[label].append(int(value))
    assert found == said and len(said) == 32, result.stderr


@pytest.mark.parametrize("optimised", ["-O0", "-O2"])
def test_values_of_fortran(compile_program, record, tmp_path, optimised):  # noqa: F811
    library = compile_program("debugged_fortran.f90", flags=[optimised, "-fPIC", "-shared"], name="libdebugged.so")
    main = tmp_path / "main.f90"
    main.write_text("use debugged\nreal(8) :: x = 0.25\ncall work(-7, 'four', 9, x)\nend\n")
    program = compile_program(main, flags=["-I", library.parent], libraries=linked(library))
    result, found = record("debugged", program, "--library-values", "*work*(n,v,x)")
    said = {"__debugged_MOD_work: " + line.split("=")[0]: [int(line.split("=")[1])] for line in result.stdout.splitlines()}
    assert found == said and len(said) == 3, result.stderr


def test_what_others_have_stripped(record):  # noqa: F811
    """The C library, whose debug information is a package of its own; no description has setlocale. LC_ALL is 6."""
    options = ["--library-functions", "setlocale", "--library-values", "setlocale(category)"]
    result, found = record("c", shutil.which("ls"), *options)
    assert found == {"setlocale: category": [6]}, result.stderr


def test_no_debug_information_is_told(compile_program, record, tmp_path):  # noqa: F811
    library = compile_program("described.c", flags=["-w", "-g0", "-fPIC", "-shared"], name="libdescribed.so")
    program = compile_program("described_calls.c", flags=["-w"], libraries=linked(library))
    result, _ = record("described", program, "--library-values", "d_many(a)")
    assert result.returncode == 2 and f"{library} has no debug information" in result.stderr
    (tmp_path / "libdamaged.so").write_bytes(library.read_bytes()[:3000])
    result, _ = record(str(tmp_path / "libdamaged.so"), program, "--library-values", "d_many(a)")
    assert result.returncode == 2 and "--library-values" in result.stderr
