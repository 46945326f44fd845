#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Fortran entry points of MPI, of the same tables and the same <mpi.h> as generate.py, with its arguments.

A Fortran procedure has the arguments of the C function in the same order, all of them addresses, then ierror, then by
value the length of each string.  The library's own procedure is called with them; what is recorded is made of them by
the library's conversions, in the words that serve C (generate.py: KINDS).  `use mpi_f08` calls procedures of other
names, with the same addresses, of which ierror may be missing.  One body serves a call; the names that compilers and
modules have for it are small entries to the body.
"""
import re
import sys

import generate

HANDLES = {"MPI_Datatype": "Type", **{f"MPI_{name}": name for name in (
    "Comm", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Win")}}
NUMBERS = {"int": "MPI_Fint", "MPI_Aint": "MPI_Aint", "MPI_Count": "MPI_Count", "MPI_Offset": "MPI_Offset"}
# Roles of arrays of handles: what reads them converts them.
ARRAYS = {"requests", "stypes", "rtypes", "info", "infos"}
BUFFERS = {"sbuf", "rbuf"}
FORTRAN = {
    "words": {"batch_begin": "tnd_mpi_batch_begin_fortran", "start": "tnd_mpi_message_start_fortran",
              "spawn_begin": "tnd_mpi_spawn_begin_fortran", "address": "", "port_length": "tnd_length_port_name"},
    "fields": {"stypes": "stypes_fortran", "rtypes": "rtypes_fortran"},
    "status": {
        "locals": "    MPI_Fint tnd_room[TND_MPI_FORTRAN_STATUS];\n"
                  "    const MPI_Fint *const tnd_kept = tnd_mpi_fortran_status({status}, tnd_room);\n"
                  "    MPI_Status tnd_status, *const tnd_one = &tnd_status;\n",
        "after": "tnd_mpi_fortran_read_status(tnd_kept, tnd_one);\n        ",
        "swap": {"status": "tnd_kept"},
    },
    "statuses": {"swap": {"statuses": "tnd_batch.fortran_statuses"}},
    "info": {"swap": {"info": "tnd_spawn.made ? tnd_spawn.made_fortran : %s"}},
    "infos": {"swap": {"infos": "tnd_spawn.made ? tnd_spawn.made_fortran : %s"}},
}
# Names under which the module `mpi` knows a call whose argument is a TYPE(C_PTR).
MORE_NAMES = {name: name.lower() + "_cptr" for name in (
    "MPI_Alloc_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_shared_query")}
OF_C_ALONE = re.compile(r"int \*argc|char \*\*\*argv|\.\.\.")
F08 = 1  # TND_MPI_F08, the one spelling of which MPICH's library calls PMPI_*
# All of it is there for every Fortran program, little of it is called often: small comes first.
SMALL = """#ifndef __clang__
#pragma GCC optimize("Os")
#endif
"""
WITHOUT_IERROR = {"MPI_Pcontrol"}
# What Fortran does not have: handles of the other language, questions about the library, and large counts, which are the
# same names with other arguments there (and no library here has them).
LACKS = re.compile(r"MPI_T_\w+|\w+_(c2f|f2c|f082f|f2f08|f082c|c2f08|c)")


def argument(declaration, role):
    """(type of the Fortran argument, how C would write its value, whether a length follows)."""
    name = generate.argument_name(declaration)
    base = re.sub(r"\bconst\b|\[[^]]*\]", " ", declaration[: declaration.rindex(name)]).split()
    n_stars = declaration.count("*") + declaration.count("[")
    if base[0] == "char":
        return "const char *", name, True
    if base[0] in HANDLES and "(" not in declaration:
        if role in ARRAYS:
            value = name
        else:
            value = f"TND_MPI_FROM_FORTRAN({HANDLES[base[0]]}, *{name})"
            value = value if n_stars == 0 else f"(&({base[0]}){{{value}}})"
        return "const MPI_Fint *", value, False
    if base[0] in NUMBERS and "(" not in declaration and n_stars <= 1:
        return f"const {NUMBERS[base[0]]} *", name if n_stars else f"(*{name})", False
    if role in BUFFERS:
        return "const void *", f"tnd_mpi_fortran_buffer({name})", False
    return "const void *", name, False


def entries(number, name, declared, given, result):
    """Functions that call the body, one for each of enum tnd_mpi_spelling in its order, with further names of each."""
    lower = name.lower()
    ways = [[lower + "_", lower + "__"], [lower + "_f08_"]]
    if name in MORE_NAMES:
        ways[0] += [MORE_NAMES[name] + "_", MORE_NAMES[name] + "__"]
    for i, (first, *others) in enumerate(ways):
        if i != F08:
            yield "#ifdef OPEN_MPI"
        yield (f'{result} entry_{number}_{i}({declared or "void"}) __asm__(TND_GUARD_LABEL("{first}"));\n'
               f"{result} entry_{number}_{i}({declared or 'void'})\n{{\n"
               f"    return {given % (len(ways) * number + i, '__builtin_return_address(0)')};\n}}")
        for entry in [first, *others]:
            yield f'TND_GUARD_EXPORT("{entry}", {twin(entry, i)}, TND_GUARD_LABEL("{first}"))'
        if i != F08:
            yield "#endif"


def twin(entry, way):
    """The name in the profiling interface, as an expression of C."""
    head, tail = entry.split("_", 1)
    return f'"p{head}" TND_MPI_FORTRAN_F08 "_{tail}"' if way == F08 else f'"p{entry}"'


def wrapper(number, result, name, declarations, value, call):
    roles = call[1] or ["-"] * len(declarations)
    pairs = [(d, role) for d, role in zip(declarations, roles) if not OF_C_ALONE.search(d)]
    names = [generate.argument_name(d) for d, _ in pairs]
    kinds = [argument(d, role) for d, role in pairs]
    by_role = {role: k[1] for k, (_, role) in zip(kinds, pairs) if role != "-"}
    text = generate.around(call, by_role, FORTRAN)
    of_role = {role: n for n, (_, role) in zip(names, pairs)}
    swap = {of_role[role]: other for role, other in text["swap"].items()}
    types = [k[0] for k in kinds]
    lengths = [f"tnd_length_{n}" for n, k in zip(names, kinds) if k[2]]
    has_ierror = result == "int" and name not in WITHOUT_IERROR
    of_ierror = ["MPI_Fint *"] if has_ierror else []
    word = "uintptr_t" if result == "int" else result
    all_types = types + of_ierror + ["size_t"] * len(lengths)
    all_names = names + ["tnd_ierror"] * has_ierror + lengths
    declared = ", ".join(f"{t}{'' if t.endswith('*') else ' '}{n}" for t, n in zip(all_types, all_names))
    plain = ", ".join(all_names)
    mine = ", ".join([swap.get(n, "%s").replace("%s", n) for n in names] + ["&tnd_result"] * has_ierror + lengths)
    missing = "tnd_mpi_fortran_end(tnd_ierror, MPI_ERR_OTHER)" if has_ierror else "0"
    if has_ierror:
        run, end = f"MPI_Fint tnd_result;\n    tnd_real({mine});", "tnd_mpi_fortran_end(tnd_ierror, tnd_result)"
    else:
        run, end = f"const {word} tnd_result = tnd_real({mine});", "tnd_result"
    out = [f"static NOINLINE {word} body_{number}({declared}{', ' if declared else ''}"
           "unsigned tnd_number, void *tnd_caller)", "{",
           f"    {word} (*tnd_real)({', '.join(all_types) or 'void'});",
           "    bool tnd_known;",
           "    tnd_real = (__typeof__(tnd_real))tnd_mpi_fortran_get(tnd_number, tnd_caller, &tnd_known);",
           "    if (!tnd_known)", f"        return tnd_real ? tnd_real({plain}) : {missing};"]
    out += generate.body(text, value, f"return tnd_real({plain});", run, end)
    given = f"body_{number}({plain}{', ' if plain else ''}%d, %s)"
    return "\n".join([*out, *entries(number, name, declared, given, word), ""])


def main():
    event_types, calls_path, output = sys.argv[1:4]
    wrapped = [call for call in generate.read_tables(event_types, calls_path, sys.argv[4:]) if not LACKS.fullmatch(call[1])]
    with open(output, "w", encoding="utf-8") as file:
        file.write(SMALL + generate.HEAD % "generate_fortran.py")
        file.write('#include "intercept/mpi/mpi_fortran.h"\n\n#pragma GCC diagnostic ignored "-Wmissing-prototypes"\n'
                   "#define NOINLINE __attribute__((noinline))\n\n")
        file.write("const char *const tnd_mpi_fortran_names[] = {\n")
        file.write("".join(f'    "{call[1].lower()}",\n' for call in wrapped) + "};\n\n")
        file.write(f"void *tnd_mpi_fortran_calls[TND_MPI_N_SPELLINGS * {len(wrapped)}];\n"
                   f"void *tnd_mpi_fortran_others[TND_MPI_N_SPELLINGS * {len(wrapped)}];\n\n")
        file.write("#pragma GCC visibility push(default)\n\n")
        for number, call in enumerate(wrapped):
            file.write(wrapper(number, *call) + "\n")
        file.write("#pragma GCC visibility pop\n")


if __name__ == "__main__":
    main()
