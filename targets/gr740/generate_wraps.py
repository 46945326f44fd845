#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what links a program with tandem's wrappers where there is no dynamic linker, from the tables and sources of the
dynamic wrappers.

    generate_wraps.py INTERCEPT-DIRECTORY OUTPUT-DIRECTORY

    wraps.h            names that the wrappers' sources define get other names: GOMP_barrier is tnd_wrap_GOMP_barrier
    wraps.c            the table of the real functions, of those that the program calls
    wraps/NAME.s       one object each: __wrap_NAME, and the reference to the real function
    tandem-wrap-flags  prints the linker's flags

The linker takes an object wraps/NAME.s only if the program calls NAME, so that the OpenMP library need not have the others.
"""
import pathlib
import re
import sys

sys.path.insert(0, sys.argv[1] + "/openmp")
from generate_gomp import read_calls  # noqa: E402

HEAP = r"^    X\([^,]+, (?!malloc_usable_size)(\w+),"
HAND_WRITTEN = r"^(?:PUBLIC \w+ (\w+)\(|TASKLOOP\((\w+)|DOACROSS_WAIT\((\w+))"

STUB = """\
    .section .text.__wrap_{name},"ax",@progbits
    .align 4
    .global __wrap_{name}
    .type __wrap_{name}, @function
__wrap_{name}:
    sethi %hi(tnd_wrap_{name}), %g1
    jmp %g1 + %lo(tnd_wrap_{name})
     nop
    .size __wrap_{name}, .-__wrap_{name}
    .section .rodata.tnd_real_{name},"a",@progbits
    .align 4
    .global tnd_real_{name}
tnd_real_{name}:
    .word __real_{name}
    .section .note.GNU-stack,"",@progbits
"""

TABLE = """\
/* Made by targets/gr740/generate_wraps.py: do not edit.  Context: gomp_region.h. */
#include "intercept/openmp/gomp_region.h"

#include <string.h>

{declarations}
/* In the order of tnd_gomp_region_callees. */
static void *const *const reals[] = {{
{rows}}};

/* Of gomp_task.c. */
static const struct {{
    const char *name;
    void *const *real;
}} others[] = {{
{others}}};

void *tnd_gomp_region_find(struct tnd_callee *callee, const void *caller)
{{
    size_t place = (size_t)(callee - tnd_gomp_region_callees);
    void *const *real = NULL;
    if (callee >= tnd_gomp_region_callees && place < sizeof reals / sizeof *reals)
        real = reals[place];
    for (size_t i = 0; callee->name && i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, callee->name) == 0)
            real = others[i].real;
    callee->found = real ? *real : NULL;
    return callee->found;
}}

void tnd_gomp_region_leave_to_llvm(const void *caller)
{{
}}
"""

FLAGS = """\
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Made by targets/gr740/generate_wraps.py: do not edit.
#
# Prints the flags with which a compiler links a program so that tandem sees its calls.
set -eu
usage() {{
    echo "usage: tandem-wrap-flags [--ld] [--no-openmp] [--no-main] [--heap] [--functions NAME,... [--wrappers FILE.s]]"
    echo "  --ld           for ld itself: --wrap=NAME in place of -Wl,--wrap=NAME"
    echo "  --no-openmp    not the calls of OpenMP"
    echo "  --no-main      not main: the program calls tandem_board_start() by itself"
    echo "  --heap         malloc and its family, too"
    echo "  --functions    functions of the program's, each call of which becomes a region"
    echo "  --wrappers     writes their wrappers, which the program is linked with, too"
}}
wrapper() {{
    cat <<WRAPPER
    .section .text.__wrap_$1,"ax",@progbits
    .align 4
    .global __wrap_$1
__wrap_$1:
    save %sp, -96, %sp
    sethi %hi(1f), %o0
    or %o0, %lo(1f), %o0
    call tnd_board_function_enter
     mov %i7, %o1
    mov %o0, %i7
    restore
    sethi %hi(__real_$1), %g1
    jmp %g1 + %lo(__real_$1)
     nop
    .data
    .align 4
1:  .word 2f, 0
2:  .asciz "$1"
WRAPPER
}}
prefix=-Wl, openmp=1 main=1 heap= functions= wrappers=
while [ $# -gt 0 ]; do
    word=$1
    shift
    case $word in
        --heap) heap=1 ;;
        --functions | --wrappers)
            [ $# -gt 0 ] || {{ echo "tandem-wrap-flags: $word: a value is missing" >&2; exit 2; }}
            [ "$word" = --functions ] && functions=$(echo "$1" | tr , " ") || wrappers=$1
            shift ;;
        --ld) prefix= ;;
        --no-openmp) openmp= ;;
        --no-main) main= ;;
        --help) usage; exit 0 ;;
        *) echo "tandem-wrap-flags: $word: no such option" >&2; usage >&2; exit 2 ;;
    esac
done
names=
[ -z "$main" ] || names="main"
[ -z "$openmp" ] || names="$names {openmp}"
[ -z "$heap" ] || names="$names {heap}"
for name in $functions; do
    case $name in
        [0-9]* | *[!A-Za-z0-9_]*) echo "tandem-wrap-flags: $name: not the name of a function" >&2; exit 2 ;;
    esac
done
names="$names $functions"
if [ -n "$wrappers" ]; then
    {{ for name in $functions; do wrapper "$name"; done; echo '    .section .note.GNU-stack,"",@progbits'; }} >"$wrappers"
fi
flags=
for name in $names; do
    flags="$flags $prefix--wrap=$name"
done
# The C library, which comes after tandem's, calls these, too.
for name in ${{heap:+malloc calloc realloc free}}; do
    flags="$flags $prefix--undefined=__wrap_$name"
done
echo "${{flags# }}"
"""


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main():
    intercept, output = (pathlib.Path(word) for word in sys.argv[1:])
    of_table = [call for call, *_ in read_calls(intercept / "openmp/gomp_calls.tsv")]
    others = ["".join(found) for found in
              re.findall(HAND_WRITTEN, (intercept / "openmp/gomp_task.c").read_text(encoding="utf-8"), re.M)]
    heap = ["free", *re.findall(HEAP, (intercept / "heap/heap_next.h").read_text(encoding="utf-8"), re.M)]
    openmp = sorted(of_table + others)
    names = openmp + heap
    write(output / "wraps.h", "/* Made by targets/gr740/generate_wraps.py: do not edit. */\n"
          + "".join(f"#define {name} tnd_wrap_{name}\n" for name in names))
    write(output / "wraps.c", TABLE.format(
        declarations="".join(f"extern void *const tnd_real_{name} __attribute__((weak));\n" for name in openmp),
        rows="".join(f"    &tnd_real_{name},\n" for name in of_table),
        others="".join(f'    {{"{name}", &tnd_real_{name}}},\n' for name in others)))
    for name in names:
        write(output / "wraps" / f"{name}.s", STUB.format(name=name))
    flags = output / "tandem-wrap-flags"
    write(flags, FLAGS.format(openmp=" ".join(openmp), heap=" ".join(heap)))
    flags.chmod(0o755)


main()
