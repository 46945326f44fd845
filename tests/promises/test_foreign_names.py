# SPDX-License-Identifier: GPL-3.0-or-later
"""A name that the preloaded libraries export may be a function of the program's that has nothing to do with MPI or OpenMP: it gets
its calls, with every register, however it came into the process."""
import re
import subprocess

import pytest

GUARDED = re.compile("MPI|mpix?_|GOMP_|omp_|__kmpc_")
HOW = ["linked", "plugin", "deepbind", "global", "of a plugin"]

# A function takes and returns what registers and the stack can have: numbers of both kinds, more than there are registers, a
# structure by value, further arguments, of which AL says how many are in vector registers.
OWNER = """#include <stdarg.h>
struct pair { double number; long word; };
struct block { long words[5]; };
#define DOUBLES double d0, double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8
#define LONGS long i0, long i1, long i2, long i3, long i4, long i5, long i6, long i7, long i8
struct pair %(name)s(DOUBLES, LONGS, struct block block, ...);
"""
DEFINITION = """struct pair %(name)s(DOUBLES, LONGS, struct block block, ...)
{
    va_list more;
    va_start(more, block);
    struct pair result = {d0 + 2 * d1 + 3 * d2 + 4 * d3 + 5 * d4 + 6 * d5 + 7 * d6 + 8 * d7 + 9 * d8 + 10 * va_arg(more, double),
                          i0 + 2 * i1 + 3 * i2 + 4 * i3 + 5 * i4 + 6 * i5 + 7 * i6 + 8 * i7 + 9 * i8 + block.words[4] + %(number)d};
    result.word += va_arg(more, long);
    va_end(more);
    return result;
}
"""
USE = """static void use_%(number)d(void)
{
    struct pair got = %(name)s(.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, (struct block){{1, 2, 3, 4, 500}}, 9.5, 1000L);
    if (got.number != 357.5 || got.word != 1785 + %(number)d)
        printf("%(name)s: %%g %%ld\\n", got.number, got.word - 1785);
}
"""
HOST = """#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | FLAGS);
    int (*use)(void) = library ? (int (*)(void))dlsym(library, "use") : NULL;
    if (!use)
        puts(dlerror());
    return use ? use() : 1;
}
"""
FLAGS = {"plugin": "RTLD_LOCAL", "deepbind": "RTLD_LOCAL | RTLD_DEEPBIND", "global": "RTLD_GLOBAL", "of a plugin": "RTLD_LOCAL"}


@pytest.fixture(scope="module")
def program_of(compile_program):
    """program_of(names, how, compiler=None) -> the command of a program in which a library owns the names, and calls them or is called."""

    def texts(names):
        lines = [{"name": name, "number": number} for number, name in enumerate(names)]
        declared = OWNER[:OWNER.index("struct pair %")] + "".join(OWNER.splitlines()[-1] % line + "\n" for line in lines)
        uses = "#include <stdio.h>\n" + "".join(USE % line for line in lines) + "int use(void)\n{\n"
        uses += "".join(f"    use_{number}();\n" for number in range(len(names)))
        return declared, "".join(DEFINITION % line for line in lines), uses + f'    printf("{len(names)} calls\\n");\n    return 0;\n}}\n'

    def make(names, how, compiler=None):
        declared, defined, uses = texts(names)
        shared = ["-shared", "-fPIC", "-w", "-O0"]
        if how in ("linked", "of a plugin"):
            owner = compile_program(declared + defined, flags=shared, name="libowner.so", compiler=compiler)
            found = [str(owner), f"-Wl,-rpath,{owner.parent}"]
            if how == "linked":
                main = "int main(void) { return use(); }\n"
                return [compile_program(declared + uses + main, flags=["-w", "-O0"], libraries=found, compiler=compiler)]
            library = compile_program(declared + uses, flags=shared, libraries=found, name="libplugin.so", compiler=compiler)
        else:
            library = compile_program(declared + defined + uses, flags=shared, name="libowner.so", compiler=compiler)
        return [compile_program(HOST.replace("FLAGS", FLAGS[how]), compiler=compiler), library]

    return make


@pytest.fixture(scope="module")
def plain_names(root):
    """MPI's names as compilers may spell them that add no underscore."""
    table = (root / "formats" / "event_types.tsv").read_text()
    names = sorted(set(re.findall(r"\t(MPI_[A-Z][a-z]\w+)(?=\s)", table)))
    assert len(names) > 300
    return [spelled for name in names for spelled in (name.lower(), name.upper())]


def exported(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True)
    return sorted(line.split()[0] for line in listed.stdout.splitlines())


def test_what_is_exported(root, build_dir):
    """All names are guarded, or known to be without a guard."""
    names = {name for path in build_dir.glob("libtandem*.so") if "-a" not in path.name for name in exported(path)}
    lines = (root / "tests/promises/exported_names.txt").read_text().splitlines()
    assert sorted(name for name in names if not GUARDED.match(name)) == [line for line in lines if line[0] != "#"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["tandem", "tandem-mpich"])
def test_exported_names(run, program_of, build_dir, name, how):
    library = build_dir / f"lib{name}.so"
    names = [name for name in exported(library) if GUARDED.match(name)]
    assert len(names) > 1000
    program = program_of(names, how)
    plain = run(*program, check=True)
    assert plain.stdout == f"{len(names)} calls\n"
    result = run(*program, preload=library, env={"TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, result.stderr) == (0, plain.stdout, "")


@pytest.mark.parametrize("how", HOW)
def test_names_without_underscore(run, program_of, plain_names, build_dir, how):
    """Names of helper functions, in R's Rmpi among others."""
    program = program_of(plain_names, how)
    plain = run(*program, check=True)
    assert plain.stdout == f"{len(plain_names)} calls\n"
    for library in ("tandem", "tandem-mpich"):
        result = run(*program, preload=build_dir / f"lib{library}.so", env={"TANDEM_MERGE": "0"})
        assert (result.returncode, result.stdout, result.stderr) == (0, plain.stdout, "")
