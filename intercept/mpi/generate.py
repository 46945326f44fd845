#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the MPI wrappers: one function for every C call that the <mpi.h> at hand declares.  A call without a value in
event_types.tsv, or of which calls.tsv does not say what it is, stops the build.  generate_fortran.py writes those for
Fortran of the same tables.

    generate.py EVENT_TYPES CALLS OUTPUT COMPILER [FLAGS...]

The header is what the compiler makes of `#include <mpi.h>`; prototypes are read from that text.  Arguments keep the
header's names, so everything of ours inside a wrapper begins with tnd_.

A wrapper takes numbers and handles as whole registers and hands those on: under another MPI than this header's a handle
may be wider than the header says, and a program that has got the wrong library preloaded is not to notice.
"""
import fnmatch
import re
import subprocess
import sys

INCLUDE = """/* Calls that MPI 3.0 removed are still in Open MPI's library for old programs: this shows their prototypes. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>
"""

# What goes around the real call, by kind: `locals` before anything is recorded, `before` after ENTER, `after` once the
# call succeeded and before LEAVE, `always`: both also when nothing is recorded.  {role} is that argument as C has it.
# `own`: what of the language's OWN the call needs.
REQUEST = "    const MPI_Request tnd_request = *{request};\n"
SEND = "tnd_mpi_message_send(tnd_thread, tnd_time, {count}, {type}, {partner}, {tag}, {comm});"
RECV = "tnd_mpi_message_recv(tnd_thread, tnd_time, {comm}, tnd_one);"
POST = "tnd_mpi_message_post(tnd_thread, tnd_time, TND_POST_%s, {partner}, {tag}, {comm}, *{request});"
SEND_INIT = "tnd_mpi_message_send_init(tnd_thread, tnd_time, %s, {type}, {partner}, {tag}, {comm}, *{request});"
DONE = "tnd_mpi_message_done(tnd_thread, tnd_time, %s, tnd_one);"
MATCHED = "tnd_mpi_message_matched(tnd_thread, tnd_time, tnd_one, {comm}, *{message});"
BATCH = "    struct tnd_mpi_batch tnd_batch;\n"
BEGIN = "{batch_begin}(&tnd_batch, {count}, {requests}, %s);"
DONE_ANY = "tnd_mpi_batch_done_one(&tnd_batch, tnd_thread, tnd_time, *{index}, tnd_one);"
REMOTE = "tnd_mpi_bytes_remote(tnd_thread, tnd_time, {partner}, {window}, %s, {type}, {origin}, {place});"
ASKED = "tnd_mpi_bytes_asked(tnd_thread, tnd_time, {count}, {type});"
ASKED_END = "tnd_mpi_bytes_asked_end(tnd_thread, tnd_time);"
MOVED = "tnd_mpi_bytes_moved(tnd_thread, tnd_time, tnd_one);"
TELL = "tnd_mpi_world_tell(*{newcomm}, %s, %s);"
FAR = TELL % ("*{newcomm}", "tnd_mpi_library.comm_null") + "\n"
PORT = "port({port}, {port_length}, {root}, {comm})"
LINK = "        tnd_mpi_world_link(*{newcomm}, TND_LINK_%s, tnd_mpi_spawn_%s);"
MADE = TELL % ("*{newcomm}", "{comm}")
SPAWN = {"locals": "    struct tnd_mpi_spawn tnd_spawn = {{.n = 0}};\n", "after": MADE, "always": True,
         "ended": "tnd_mpi_spawn_end(&tnd_spawn, tnd_result == MPI_SUCCESS ? *{newcomm} : tnd_mpi_library.comm_null);"}
KINDS = {
    "send": {"before": SEND},
    "isend": {"after": "tnd_mpi_message_isend(tnd_thread, tnd_time, {count}, {type}, {partner}, {tag}, {comm}, *{request});"},
    "send_init": {"after": SEND_INIT % "{count}"},
    "psend_init": {"after": SEND_INIT % "(MPI_Count){partitions} * {count}"},
    "recv": {"own": "status", "after": RECV},
    "irecv": {"after": POST % "RECV"},
    "recv_init": {"after": POST % "RECV_INIT"},
    "sendrecv": {"own": "status", "before": SEND, "after": RECV},
    "mprobe": {"own": "status", "after": MATCHED},
    "improbe": {"own": "status", "after": "if (*{flag})\n            " + MATCHED},
    "mrecv": {"own": "status", "locals": "    const MPI_Message tnd_message = *{message};\n",
              "after": "tnd_mpi_message_done_matched(tnd_thread, tnd_time, tnd_message, tnd_one);"},
    "imrecv": {"locals": "    const MPI_Message tnd_message = *{message};\n",
               "after": "tnd_mpi_message_rename(tnd_thread, tnd_time, tnd_message, *{request});"},
    "start": {"before": "tnd_mpi_message_start(tnd_thread, tnd_time, 1, {request});"},
    "startall": {"before": "{start}(tnd_thread, tnd_time, {count}, {requests});"},
    "wait": {"own": "status", "locals": REQUEST, "after": DONE % "tnd_request"},
    "test": {"own": "status", "locals": REQUEST, "after": "if (*{flag})\n            " + DONE % "tnd_request"},
    "get_status": {"own": "status", "after": "if (*{flag})\n            " + DONE % "{request}"},
    "waitall": {"own": "statuses", "locals": BATCH, "before": BEGIN % "{statuses}",
                "ended": "tnd_mpi_batch_done_all(&tnd_batch, tnd_thread, tnd_time, tnd_result);"},
    "testall": {"own": "statuses", "locals": BATCH, "before": BEGIN % "{statuses}",
                "ended": "tnd_mpi_batch_done_all(&tnd_batch, tnd_thread, tnd_time, "
                         "tnd_result == MPI_SUCCESS && !*{flag} ? MPI_ERR_OTHER : tnd_result);"},
    "waitany": {"own": "status", "locals": BATCH, "before": BEGIN % "NULL",
                "after": DONE_ANY, "ended": "tnd_mpi_batch_end(&tnd_batch);"},
    "testany": {"own": "status", "locals": BATCH, "before": BEGIN % "NULL",
                "after": "if (*{flag})\n            " + DONE_ANY, "ended": "tnd_mpi_batch_end(&tnd_batch);"},
    "waitsome": {"own": "statuses", "locals": BATCH, "before": BEGIN % "{statuses}",
                 "ended": "tnd_mpi_batch_done_some(&tnd_batch, tnd_thread, tnd_time, tnd_result, "
                          "*{outcount}, {indices});"},
    "free": {"before": "tnd_mpi_message_free(tnd_thread, tnd_time, *{request});"},
    "one_sided": {"before": REMOTE % "{count}"},
    "one_sided_one": {"before": REMOTE % "1"},
    "target": {"before": "tnd_mpi_bytes_target(tnd_thread, tnd_time, {partner}, {window});"},
    "io": {"before": ASKED, "ended": ASKED_END},
    "io_moved": {"own": "status", "before": ASKED, "after": MOVED, "ended": ASKED_END},
    "io_end": {"own": "status", "after": MOVED},
    "comm": {"after": MADE, "always": True},
    "comm_far": {"after": FAR.rstrip("\n"), "always": True},
    "comm_idup": {"after": TELL % ("{comm}", "{comm}"), "always": True},
    "spawn": {**SPAWN, "own": "info", "before": "{spawn_begin}(&tnd_spawn, 1, {address}{info}, {root}, {comm});"},
    "spawn_multiple": {**SPAWN, "own": "infos",
                       "before": "{spawn_begin}(&tnd_spawn, {count}, {infos}, {root}, {comm});"},
    "accept": {"after": FAR + LINK % ("ACCEPT", PORT), "always": True},
    "connect": {"after": FAR + LINK % ("CONNECT", PORT), "always": True},
    "join": {"after": FAR + LINK % ("JOIN", "socket({fd})"), "always": True},
    "init": {"before": "tnd_mpi_nodes_before();", "after": "tnd_mpi_world_begin();", "always": True},
    "finalize": {"before": "tnd_mpi_nodes_end();", "always": True},
    "plain": {},
    "local": {"late": "false"},
}
# Calls that may find nothing: what they found, if anything.  They are recorded late (mpi_choice.h).
KINDS.update({kind: {**KINDS[kind], "late": found} for kind, found in {
    "test": "*{flag}", "testall": "*{flag}", "testany": "*{flag}", "get_status": "*{flag}", "improbe": "*{flag}",
    "waitsome": "*{outcount} > 0"}.items()})
MODES = {kind: "TND_MPI_IS_LOCAL" if kind == "local" else "TND_MPI_IS_TEST" for kind, plan in KINDS.items() if "late" in plan}
# Fields of struct tnd_mpi_collective that a role fills.  Only a persistent collective says which its request is.
COLLECTIVE_ROLES = "sbuf scount scounts stype stypes rbuf rcount rcounts rtype rtypes root comm request".split()
# All are written, those that a call does not have as 0: compilers clear a struct that is given in part by an instruction
# that takes as long as a clock read.
COLLECTIVE_FIELDS = [*COLLECTIVE_ROLES, "shape", "count_bytes", "stypes_fortran", "rtypes_fortran"]
# Collectives that move as much everywhere: nothing to ask of the library.
EVEN_BYTES = {"barrier": "0", "allreduce": "tnd_mpi_message_bytes({scount}, {stype})"}
# A language's words for what KINDS leaves open, and its OWN: what it needs for a status that the program may ignore
# (whichever it is, tnd_one has it afterwards) and for several requests.  `swap` puts another expression in the place of
# an argument (%s) of the real call.
C = {
    "words": {"batch_begin": "tnd_mpi_batch_begin", "start": "tnd_mpi_message_start",
              "spawn_begin": "tnd_mpi_spawn_begin", "address": "&", "port_length": "SIZE_MAX"},
    "fields": {},
    "status": {
        "locals": "    MPI_Status tnd_status, *tnd_one = {status} == MPI_STATUS_IGNORE ? &tnd_status : {status};\n",
        "swap": {"status": "tnd_one"},
    },
    "statuses": {"swap": {"statuses": "tnd_batch.statuses"}},
    "info": {"swap": {"info": "tnd_spawn.made ? (intptr_t)*tnd_spawn.made : %s"}},
    "infos": {"swap": {"infos": "tnd_spawn.made ? tnd_spawn.made : %s"}},
}
# Numbers that take a whole register under every MPI.
PLAIN = ("plain", "local")
WHOLE_TYPES = {"MPI_Aint", "MPI_Count", "MPI_Offset"}


def read_values(path):
    """Name of call -> (constant of its type, value)."""
    constants, values = {}, {}
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t") + [""] * 7
        number, name, _, _, value, label = fields[:6]
        if name and number.isdigit():
            constants[number] = "TND_TYPE_" + name
        if number in constants and label.startswith(("MPI_", "MPIX_")):
            values[label] = (constants[number], int(value))
    return values


def without_large(name):
    """MPI_X of MPI_X_c: the same call with large counts."""
    return name[:-2] if name.endswith("_c") else name


def read_calls(path):
    """Lines of calls.tsv: {call: (kind, roles)}, [(patterns, kind, reason)] of the plain ones, {kind: what its record tells}."""
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")][1:]
    calls = {call: (kind, roles.split()) for call, kind, roles in rows if call != "kind" and kind not in PLAIN}
    plain = [(call.split(), kind, reason) for call, kind, reason in rows if kind in PLAIN]
    told = {kind: text for call, kinds, text in rows if call == "kind" for kind in kinds.split()}
    return calls, plain, told


def plain_reason(plain, name):
    """(kind, why an enter and a leave say all of this call), (None, None): nothing says so."""
    return next(((kind, why) for patterns, kind, why in plain if any(fnmatch.fnmatchcase(name, p) for p in patterns)),
                (None, None))


def without_attributes(text):
    while (at := text.find("__attribute__")) >= 0:
        end, depth = text.index("(", at), 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[end:]
    return text


def split_arguments(text):
    parts, depth = [""], 0
    for c in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [] if text.strip() in ("", "void") else [part.strip() for part in parts]


def argument_name(declaration):
    match = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration) or re.search(r"(\w+)\s*(\[[^]]*\]\s*)*$", declaration)
    return match.group(1)


def is_narrow(declaration):
    """An argument of less than a register, or that is less under another MPI: a number or a handle."""
    match = re.fullmatch(r"(?:const )?(\w+) \w+", declaration)
    return match is not None and (match[1] == "int" or match[1].startswith("MPI_")) and match[1] not in WHOLE_TYPES


def read_prototypes(compiler):
    """(type of result, name, declarations of the arguments) of each call of the header, in its order."""
    command = compiler + ["-E", "-P", "-x", "c", "-"]
    text = subprocess.run(command, input=INCLUDE, capture_output=True, text=True, check=True).stdout
    seen = set()
    for statement in without_attributes(text).split(";"):
        match = re.fullmatch(r"(?:extern )?(int|double|MPI_\w+) (MPIX?_\w+) ?\((.*)\)", " ".join(statement.split()))
        if match and match.group(2) not in seen:
            seen.add(match.group(2))
            yield match.group(1), match.group(2), split_arguments(match.group(3))


def collective_plan(shape, roles, fields):
    when = "after" if "request" in roles else "before"
    if shape in EVEN_BYTES:
        request = "{request}" if "request" in roles else "NULL"
        return {when: f"tnd_mpi_collective_emit_even(tnd_thread, tnd_time, {EVEN_BYTES[shape]}, {{comm}}, {request});"}
    given = dict.fromkeys(COLLECTIVE_FIELDS, "0")
    given.update({fields.get(r, r): f"{{{r}}}" for r in COLLECTIVE_ROLES if r in roles})
    given["shape"] = f"TND_MPI_{shape.upper()}"
    if "root" not in roles:
        given["root"] = "TND_MPI_NO_ROOT"
    for counts in [r for r in ("scounts", "rcounts") if r in roles][:1]:
        given["count_bytes"] = f"sizeof *({{{counts}}})"
    return {when: "tnd_mpi_collective_emit(tnd_thread, tnd_time,\n            &(const struct tnd_mpi_collective){{"
            + ",\n            ".join(f".{field} = {value}" for field, value in given.items()) + "}});"}


def around(call, by_role, language):
    """What goes around the real call: {"locals": text, ..., "swap": {role: expression}}."""
    kind, roles = call
    plan = KINDS[kind] if kind in KINDS else collective_plan(kind, roles, language["fields"])
    owned = [language[word] for word in plan.get("own", "").split()]
    text = {"always": "always" in plan, "late": plan.get("late", "").format(**by_role), "swap": {}}
    for key in ("locals", "before", "after", "ended"):
        text[key] = "".join(part.get(key, "") for part in owned + [plan]).format(**by_role, **language["words"])
    for part in owned:
        text["swap"].update(part.get("swap", {}))
    return text


def body(text, value, plain, real, end):
    """Lines of a wrapper: end is an expression, plain and real are statements that call the real function."""
    call = f"{value[0]}, {value[1]}"
    if text["late"]:
        return late_body(text, call, plain, real, end)
    out = ["    uint64_t tnd_time;", f"    struct tnd_thread *const tnd_thread = tnd_mpi_choice_enter({call}, &tnd_time);"]
    if text["always"]:
        out += [text["locals"].rstrip("\n")] if text["locals"] else []
        out += ["    if (!tnd_mpi_library_is_foreign)", f"        {text['before']}"] if text["before"] else []
        out += [f"    {real}"]
        out += ["    if (tnd_result == MPI_SUCCESS && !tnd_mpi_library_is_foreign) {",
                f"        {text['after']}", "    }"] if text["after"] else []
        out += [f"    {text['ended']}"] if text["ended"] else []
        out += ["    if (tnd_thread)", f"        tnd_mpi_message_leave(tnd_thread, {value[0]}, tnd_clock_ticks());"]
    else:
        out += ["    if (!tnd_thread)", f"        {plain}"]
        out += [text["locals"].rstrip("\n")] if text["locals"] else []
        out += [f"    {text['before']}"] if text["before"] else []
        out += [f"    {real}", "    tnd_time = tnd_clock_ticks();"]
        out += ["    if (tnd_result == MPI_SUCCESS) {", f"        {text['after']}", "    }"] if text["after"] else []
        out += [f"    {text['ended']}"] if text["ended"] else []
        out += [f"    tnd_mpi_message_leave(tnd_thread, {value[0]}, tnd_time);"]
    return out + [f"    return {end};", "}", ""]


def late_body(text, call, plain, real, end):
    """The same for a call of which is known only afterwards whether it is recorded."""
    out = ["    struct tnd_mpi_late tnd_late;",
           f"    struct tnd_thread *const tnd_thread = tnd_mpi_choice_begin({call}, &tnd_late);",
           "    if (!tnd_thread)", f"        {plain}"]
    out += [text["locals"].rstrip("\n")] if text["locals"] else []
    out += [f"    {text['before']}"] if text["before"] else []
    success = "tnd_result == MPI_SUCCESS && "
    out += [f"    {real}", "    const uint64_t tnd_time = tnd_clock_ticks();",
            f"    const bool tnd_is_told = tnd_mpi_choice_tells(tnd_thread, {call}, &tnd_late, tnd_time, "
            + (f"{success}{text['late']}" if text["late"] != "false" else "false") + ");"]
    out += ["    if (tnd_result == MPI_SUCCESS && tnd_is_told) {", f"        {text['after']}", "    }"] if text["after"] else []
    out += [f"    {text['ended']}"] if text["ended"] else []
    out += ["    if (tnd_is_told)", f"        tnd_mpi_message_leave(tnd_thread, {call.split(',')[0]}, tnd_time);"]
    return out + [f"    return {end};", "}", ""]


def names_by_role(name, call, names):
    roles = call[1]
    if roles and len(roles) != len(names):
        sys.exit(f"calls.tsv: {name}: {len(roles)} roles, but the header has {len(names)} arguments")
    return {role: argument for role, argument in zip(roles, names) if role != "-"}


def wrapper(number, result, name, declarations, value, call):
    names = [argument_name(d) for d in declarations if d != "..."]
    by_role = names_by_role(name, call, names)
    text = around(call, by_role, C)
    swap = {by_role[role]: other for role, other in text["swap"].items()}
    whole = {n: f"tnd_{n}" if is_narrow(d) else n for n, d in zip(names, declarations)}
    plain = ", ".join(whole[n] for n in names)
    swapped = ", ".join(swap.get(n, "%s").replace("%s", whole[n]) for n in names)
    taken = ", ".join(f"intptr_t tnd_{argument_name(d)}" if is_narrow(d) else d for d in declarations) or "void"
    used = "".join(text[key] for key in ("locals", "before", "after", "ended", "late"))
    narrow = [f"    {d} = ({d.removeprefix('const ').split()[0]})tnd_{n};" for n, d in zip(names, declarations)
              if is_narrow(d) and re.search(rf"\b{n}\b", used)]
    out = [f'TND_GUARD_EXPORT("{name}", "P{name}", TND_GUARD_LABEL("{name}"))',
           f'{result} tnd_whole_{name}({taken}) __asm__(TND_GUARD_LABEL("{name}"));',
           f"{result} tnd_whole_{name}({taken})", "{",
           f"    TND_MPI_REAL({number}, tnd_whole_{name}, {'MPI_ERR_OTHER' if result == 'int' else 0});", *narrow]
    return "\n".join(out + body(text, value, f"return tnd_real({plain});",
                                f"const {result} tnd_result = tnd_real({swapped});", "tnd_result"))


def read_tables(event_types, calls_path, compiler):
    """(type of result, name, declarations, (constant of the type, value), (kind, roles)) of each call to be wrapped."""
    values, (calls, plain, told) = read_values(event_types), read_calls(calls_path)
    wrapped = []
    for result, name, declarations in read_prototypes(compiler):
        base = without_large(name)
        kind, roles = calls.get(base) or (plain_reason(plain, base)[0], [])
        if kind is None or base not in values or (kind not in PLAIN and kind not in told):
            sys.exit(f"calls.tsv, event_types.tsv: {base}: no kind, no value, or a kind that nothing says the record of")
        wrapped.append((result, name, declarations, values[base], (kind, roles)))
    if len(wrapped) < 100:
        sys.exit("generate.py: no MPI calls found in <mpi.h>: is this a C header of MPI?")
    return wrapped


HEAD = """/* Made by intercept/mpi/%s from <mpi.h>: do not edit.  Context: MPI calls of the program. */
#pragma GCC visibility push(default)
""" + INCLUDE + """#pragma GCC visibility pop
#include "formats/event_types.h"
#include "intercept/base/guard.h"
#include "intercept/mpi/mpi_batch.h"
#include "intercept/mpi/mpi_bytes.h"
#include "intercept/mpi/mpi_choice.h"
#include "intercept/mpi/mpi_collective.h"
#include "intercept/mpi/mpi_message.h"
#include "intercept/mpi/mpi_nodes.h"
#include "intercept/mpi/mpi_spawn.h"
#include "intercept/mpi/mpi_world.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

"""


def main():
    event_types, calls_path, output = sys.argv[1:4]
    wrapped = read_tables(event_types, calls_path, sys.argv[4:])
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD % "generate.py")
        file.write("const char *const tnd_mpi_library_names[] = {\n")
        file.write("".join(f'    "P{call[1]}",\n' for call in wrapped) + "};\n\n")
        file.write(f"void *tnd_mpi_library_calls[{len(wrapped)}];\n\n")
        file.write("const struct tnd_mpi_choice_call tnd_mpi_choice_calls[] = {\n")
        file.write("".join(f'    {{"{name}", {value[1]}, {MODES.get(kind, "TND_MPI_IS_PLAIN")}}},\n'
                           for _, name, _, value, (kind, _) in wrapped) + "};\n")
        largest = max(value for _, _, _, (_, value), _ in wrapped)
        file.write(f'_Static_assert({largest} < TND_EVENT_MPI_VALUES, "values of calls are places in tables");\n')
        file.write(f"const unsigned tnd_mpi_choice_n_calls = {len(wrapped)};\n\n")
        for number, call in enumerate(wrapped):
            file.write(wrapper(number, *call) + "\n")


if __name__ == "__main__":
    main()
