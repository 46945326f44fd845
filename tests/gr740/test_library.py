# SPDX-License-Identifier: GPL-3.0-or-later
"""The library as what users link: what it needs of a C library, how much memory a thread takes, and programs that Make, CMake and Meson
build with the flags of tandem-wrap-flags and with what pkg-config says."""
import os
import re
import shutil
import subprocess

import pytest

from board import CODE, COMPILER, USER, call, needed

# Of the C library and of GCC's: no printf, no FILE, no signals but their masks, no division of 64 bits, no atomics of 64 bits.
MAY_NEED = set("""
atexit clock_gettime close getenv malloc_usable_size memcpy memmove memset nanosleep open pthread_atfork pthread_attr_destroy
pthread_attr_getstack pthread_getattr_np pthread_key_create pthread_mutex_lock pthread_mutex_unlock pthread_self pthread_setspecific
pthread_sigmask sigemptyset sigfillset stpcpy strchr strcmp strcpy strcspn strdup strlen strncmp strncpy strrchr strspn sysconf write
__errno_location __fixunsdfdi __floatundidf etext _GLOBAL_OFFSET_TABLE_
""".split())

APP = """
#include "tandem_board.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    printf("sum %d\\n", sum);
    /* Where streams begin in the pool, and which. */
    for (size_t at = 0; at + 24 < tandem_pool_bytes; at += 8) {
        uint16_t context;
        uint32_t slot;
        memcpy(&context, tandem_pool + at + 14, 2);
        memcpy(&slot, tandem_pool + at + 16, 4);
        if (memcmp(tandem_pool + at, "tandem\\r\\n", 8) == 0)
            printf("stream %u %u %u\\n", (unsigned)slot, (unsigned)context, (unsigned)at);
    }
    return 0;
}
"""

MAKEFILE = """
CC = {compiler}
app: app.o
\t$(CC) {code} -static -fopenmp app.o -o app $$(tandem-wrap-flags) -Wl,--gc-sections \\
\t    -Wl,--start-group $$(pkg-config --libs tandem-gr740) -lgomp -lc -Wl,--end-group
app.o: app.c
\t$(CC) {code} -fopenmp $$(pkg-config --cflags tandem-gr740) -c app.c
"""

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(app C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(TANDEM REQUIRED tandem-gr740)
execute_process(COMMAND tandem-wrap-flags OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
add_executable(app app.c)
target_compile_options(app PRIVATE {code} -fopenmp ${{TANDEM_CFLAGS}})
target_link_options(app PRIVATE {code} -static -fopenmp ${{flags}} -Wl,--gc-sections)
target_link_libraries(app PRIVATE -Wl,--start-group ${{TANDEM_LDFLAGS}} -lgomp -lc -Wl,--end-group)
"""

MESON = """
project('app', 'c')
flags = run_command('tandem-wrap-flags', check: true).stdout().strip().split()
code = '{code} -fopenmp'.split()
executable('app', 'app.c', c_args: code, dependencies: dependency('tandem-gr740').partial_dependency(compile_args: true),
  link_args: code + ['-static'] + flags + ['-Wl,--gc-sections', '-Wl,--start-group']
    + run_command('pkg-config', '--libs', 'tandem-gr740', check: true).stdout().strip().split() + ['-lgomp', '-lc', '-Wl,--end-group'])
"""

CROSS = """
[binaries]
c = '{compiler}'
pkgconfig = 'pkg-config'
[host_machine]
system = 'linux'
cpu_family = 'sparc'
cpu = 'leon3'
endian = 'big'
"""


def test_needs(board_dir):
    listed = call("sparc64-linux-gnu-nm", "-A", board_dir / "libtandem-gr740.a")
    defined = set(re.findall(r" [A-TV-Za-tv-z] (\S+)$", listed, re.M))
    undefined = set(re.findall(r" U (\S+)$", listed, re.M))
    own = {name for name in undefined if name.startswith(("tnd_", "tandem_", "__real_"))}
    assert {"write", "clock_gettime"} <= undefined - defined
    assert undefined - defined - own <= MAY_NEED
    # Floating point is used in four objects, which interrupts do not come to (make_library.py).
    code = call("sparc64-linux-gnu-objdump", "-d", board_dir / "libtandem-gr740.a")
    found, member = set(), None
    for line in code.splitlines():
        member = line.split(".o:")[0] if ".o:" in line else member
        if re.search(r"\t(f(add|sub|mul|div|sto|dto|ito|mov|cmp|neg|abs|sqrt)\w*|ldd?\s.*%f\d|std?\s+%f\d)", line):
            found.add(member)
    assert "power_model" in found <= {"value", "heap_self", "power_model", "board_power"}, found


@pytest.fixture(scope="module")
def prefix(root, build_dir, board_dir, tmp_path_factory):
    """As installed, but that the library is the one for the processor that the emulator runs programs of."""
    needed(COMPILER, USER, "pkg-config")
    place = tmp_path_factory.mktemp("prefix")
    for name in ("bin", "lib/pkgconfig", "include"):
        (place / name).mkdir(parents=True)
    shutil.copy(board_dir / "tandem-wrap-flags", place / "bin")
    shutil.copy(board_dir / "libtandem-sparc32plus.a", place / "lib" / "libtandem-gr740.a")
    shutil.copy(root / "targets/gr740/tandem_board.h", place / "include")
    says = (build_dir / "meson-private/tandem-gr740.pc").read_text(encoding="utf-8")
    says = re.sub(r"^libdir=.*$", "libdir=${prefix}/lib", re.sub(r"^prefix=.*$", f"prefix={place}", says, flags=re.M), flags=re.M)
    (place / "lib/pkgconfig/tandem-gr740.pc").write_text(says, encoding="utf-8")
    return place


def build(tool, directory, environment):
    words = {"compiler": COMPILER, "code": " ".join(CODE)}
    commands = {"make": [["make"]], "cmake": [["cmake", f"-DCMAKE_C_COMPILER={COMPILER}", "-DCMAKE_SYSTEM_NAME=Generic",
                                               "-DCMAKE_C_COMPILER_WORKS=1", "."], ["make"]],
                "meson": [["meson", "setup", "--cross-file", "cross.txt", "built"], ["ninja", "-C", "built"]]}[tool]
    (directory / {"make": "Makefile", "cmake": "CMakeLists.txt", "meson": "meson.build"}[tool]).write_text(
        {"make": MAKEFILE, "cmake": CMAKE, "meson": MESON}[tool].format(**words), encoding="utf-8")
    (directory / "cross.txt").write_text(CROSS.format(**words), encoding="utf-8")
    for command in commands:
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
    return directory / ("built/app" if tool == "meson" else "app")


@pytest.mark.parametrize("tool", ["make", "cmake", "meson"])
def test_built_with(tool, prefix, run, tandem, board_dir, tmp_path):
    needed(tool)
    (tmp_path / "app.c").write_text(APP, encoding="utf-8")
    program = build(tool, tmp_path, {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
                                     "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")})
    env = {"OMP_NUM_THREADS": 3, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "TANDEM_OUTPUT": "app.pieces"}
    first, *streams = run(USER, program, env=env, check=True).stdout.splitlines()
    assert first == "sum 499500"
    said = run(tandem, "merge", "--binary", program, "app.pieces", check=True).stdout
    assert " 3 threads" in said and " 0 lost" in said
    assert rings_of(streams) == said_of(board_dir)[0]


def rings_of(streams):
    """What the rings of a thread take, in KiB: each from its begin to that of the next one, of whichever thread."""
    at = sorted((int(place), int(context)) for _, _, context, place in map(str.split, streams))
    sizes = {(context, after - before) for (before, context), (after, _) in zip(at, at[1:])}
    contexts = {context for _, context in at}
    assert len(at) == 3 * len(contexts) and len(sizes) == len(contexts)
    return sum(size for _, size in sizes) / 1024


def said_of(board_dir):
    """What the build says that a thread takes, without samples and with them."""
    said = (board_dir / "footprint.txt").read_text(encoding="utf-8")
    return [int(number) for number in re.search(r"a thread takes (\d+) KiB, or (\d+) KiB with samples", said).groups()]


def test_memory_with_samples(link_board, root, run, board_dir, tmp_path):
    (tmp_path / "app.c").write_text(APP, encoding="utf-8")
    program = link_board(tmp_path / "app.c", root / "tests/gr740/rtems/rtems_machine.c", wraps=("--heap",), model=True)
    env = {"OMP_NUM_THREADS": 3, "OMP_WAIT_POLICY": "passive", "TANDEM_OUTPUT": "app.pieces", "SAMPLING_PERIOD": "10ms"}
    _, *streams = run(USER, program, env=env, check=True).stdout.splitlines()
    assert rings_of(streams) == said_of(board_dir)[1]
