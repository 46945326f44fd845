#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the MPI wrappers: one function for every C call that the <mpi.h> at hand declares and event_types.tsv has a
value for (handle conversions, c2f and f2c, and the tools' interface, MPI_T_*, have none: they are left alone).

    generate.py EVENT_TYPES CALLS OUTPUT COMPILER [FLAGS...]

The header is what the compiler makes of `#include <mpi.h>`; prototypes are read from that text.  Arguments keep the
header's names, so everything of ours inside a wrapper begins with tnd_.
"""
import re
import subprocess
import sys

INCLUDE = """/* Calls that MPI 3.0 removed are still in Open MPI's library for old programs: this shows their prototypes. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>
"""

# What goes around the real call, by kind: `locals` before anything is recorded, `before` after ENTER, `after` once the
# call succeeded and before LEAVE, `always` (init) also when nothing is recorded.  {role} is that argument's name.
# `swap` puts another expression in the place of an argument of the real call.
STATUS = "    MPI_Status tnd_status, *tnd_one = {status} == MPI_STATUS_IGNORE ? &tnd_status : {status};\n"
REQUEST = "    const MPI_Request tnd_request = *{request};\n"
BATCH = "    struct tnd_mpi_batch tnd_batch;\n"
SEND = "tnd_mpi_message_send(tnd_thread, tnd_time, {count}, {type}, {partner}, {tag}, {comm});"
RECV = "tnd_mpi_message_recv(tnd_thread, tnd_time, {comm}, tnd_one);"
POST = "tnd_mpi_message_post(tnd_thread, tnd_time, TND_POST_%s, {partner}, {tag}, {comm}, *{request});"
DONE = "tnd_mpi_message_done(tnd_thread, tnd_time, %s, tnd_one);"
MATCHED = "tnd_mpi_message_matched(tnd_thread, tnd_time, {partner}, {tag}, {comm}, *{message});"
BEGIN = "tnd_mpi_batch_begin(&tnd_batch, {count}, {requests}, %s);"
DONE_ANY = "tnd_mpi_batch_done_one(&tnd_batch, tnd_thread, tnd_time, *{index}, tnd_one);"
MOVED = "tnd_mpi_message_moved(tnd_thread, tnd_time, TND_TYPE_MPI_%s_SIZE, %s, {type});"
MOVED_NOT = "tnd_mpi_message_event(tnd_thread, tnd_time, TND_TYPE_MPI_%s_SIZE, 0);"
TARGET = "\n    tnd_mpi_message_event(tnd_thread, tnd_time, TND_TYPE_MPI_ONE_SIDED_TARGET, {partner});"
COMM = "tnd_mpi_world_tell(*{newcomm}, %s);"
KINDS = {
    "send": {"before": SEND},
    "isend": {"after": "tnd_mpi_message_isend(tnd_thread, tnd_time, {count}, {type}, {partner}, {tag}, {comm}, *{request});"},
    "send_init": {"after":
        "tnd_mpi_message_send_init(tnd_thread, tnd_time, {count}, {type}, {partner}, {tag}, {comm}, *{request});"},
    "recv": {"locals": STATUS, "after": RECV, "swap": {"status": "tnd_one"}},
    "irecv": {"after": POST % "RECV"},
    "recv_init": {"after": POST % "RECV_INIT"},
    "sendrecv": {"locals": STATUS, "before": SEND, "after": RECV, "swap": {"status": "tnd_one"}},
    "mprobe": {"after": MATCHED},
    "improbe": {"after": "if (*{flag})\n            " + MATCHED},
    "mrecv": {"locals": STATUS + "    const MPI_Message tnd_message = *{message};\n",
              "after": "tnd_mpi_message_done_matched(tnd_thread, tnd_time, tnd_message, tnd_one);",
              "swap": {"status": "tnd_one"}},
    "imrecv": {"locals": "    const MPI_Message tnd_message = *{message};\n",
               "after": "tnd_mpi_message_rename(tnd_thread, tnd_time, tnd_message, *{request});"},
    "start": {"before": "tnd_mpi_message_start(tnd_thread, tnd_time, 1, {request});"},
    "startall": {"before": "tnd_mpi_message_start(tnd_thread, tnd_time, {count}, {requests});"},
    "wait": {"locals": STATUS + REQUEST, "after": DONE % "tnd_request", "swap": {"status": "tnd_one"}},
    "test": {"locals": STATUS + REQUEST, "after": "if (*{flag})\n            " + DONE % "tnd_request",
             "swap": {"status": "tnd_one"}},
    "get_status": {"locals": STATUS, "after": "if (*{flag})\n            " + DONE % "{request}",
                   "swap": {"status": "tnd_one"}},
    "waitall": {"locals": BATCH, "before": BEGIN % "{statuses}", "swap": {"statuses": "tnd_batch.statuses"},
                "ended": "tnd_mpi_batch_done_all(&tnd_batch, tnd_thread, tnd_time, tnd_result);"},
    "testall": {"locals": BATCH, "before": BEGIN % "{statuses}", "swap": {"statuses": "tnd_batch.statuses"},
                "ended": "tnd_mpi_batch_done_all(&tnd_batch, tnd_thread, tnd_time, "
                         "tnd_result == MPI_SUCCESS && !*{flag} ? MPI_ERR_OTHER : tnd_result);"},
    "waitany": {"locals": STATUS + BATCH, "before": BEGIN % "NULL", "swap": {"status": "tnd_one"},
                "after": DONE_ANY, "ended": "tnd_mpi_batch_end(&tnd_batch);"},
    "testany": {"locals": STATUS + BATCH, "before": BEGIN % "NULL", "swap": {"status": "tnd_one"},
                "after": "if (*{flag})\n            " + DONE_ANY, "ended": "tnd_mpi_batch_end(&tnd_batch);"},
    "waitsome": {"locals": BATCH, "before": BEGIN % "{statuses}", "swap": {"statuses": "tnd_batch.statuses"},
                 "ended": "tnd_mpi_batch_done_some(&tnd_batch, tnd_thread, tnd_time, tnd_result, "
                          "*{outcount}, {indices});"},
    "free": {"before": "tnd_mpi_message_free(tnd_thread, tnd_time, *{request});"},
    "one_sided": {"before": MOVED % ("ONE_SIDED", "{count}") + TARGET, "ended": MOVED_NOT % "ONE_SIDED"},
    "one_sided_one": {"before": MOVED % ("ONE_SIDED", "1") + TARGET, "ended": MOVED_NOT % "ONE_SIDED"},
    "io": {"before": MOVED % ("IO", "{count}"), "ended": MOVED_NOT % "IO"},
    "comm": {"after": COMM % "*{newcomm}", "always": True},
    "comm_idup": {"after": COMM % "{comm}", "always": True},
    "comm_parent": {"after": "tnd_mpi_world_tell_parent(*{newcomm});", "always": True},
    "init": {"after": "tnd_mpi_world_begin();", "always": True},
}
# Fields of struct tnd_mpi_collective that a role fills.
COLLECTIVE_ROLES = "sbuf scount scounts stype stypes rbuf rcount rcounts rtype rtypes root comm".split()


def read_values(path):
    """Name of call -> (constant of its type, value)."""
    constants, values = {}, {}
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t") + [""] * 7
        number, name, _, _, value, label = fields[:6]
        if name and number.isdigit():
            constants[number] = "TND_TYPE_" + name
        if number in constants and label.startswith("MPI_"):
            values[label] = (constants[number], int(value))
    return values


def read_calls(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")]
    return {name: (kind, roles.split()) for name, kind, roles in rows[1:]}


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


def read_prototypes(compiler):
    """(type of result, name, declarations of the arguments) of each call of the header, in its order."""
    command = compiler + ["-E", "-P", "-x", "c", "-"]
    text = subprocess.run(command, input=INCLUDE, capture_output=True, text=True, check=True).stdout
    seen = set()
    for statement in without_attributes(text).split(";"):
        match = re.fullmatch(r"(?:extern )?(int|double|MPI_Aint) (MPI_\w+) ?\((.*)\)", " ".join(statement.split()))
        if match and match.group(2) not in seen:
            seen.add(match.group(2))
            yield match.group(1), match.group(2), split_arguments(match.group(3))


def collective_record(shape, roles):
    fields = [f".shape = TND_MPI_{shape.upper()}"] + [f".{r} = {{{r}}}" for r in COLLECTIVE_ROLES if r in roles]
    if "root" not in roles:
        fields.append(".root = TND_MPI_NO_ROOT")
    return ("tnd_mpi_collective_emit(tnd_thread, tnd_time,\n            &(const struct tnd_mpi_collective){{"
            + ",\n            ".join(fields) + "}});")


def wrapper(number, result, name, declarations, value, call):
    kind, roles = call or ("", [])
    names = [argument_name(d) for d in declarations if d != "..."]
    if call and len(roles) != len(names):
        sys.exit(f"calls.tsv: {name}: {len(roles)} roles, but the header has {len(names)} arguments")
    by_role = {role: argument for role, argument in zip(roles, names) if role != "-"}
    plan = KINDS.get(kind, {"before": collective_record(kind, roles)} if kind else {})
    part = {key: plan[key].format(**by_role) for key in ("locals", "before", "after", "ended") if key in plan}
    swap = {by_role[role]: other for role, other in plan.get("swap", {}).items()}
    plain = ", ".join(names)
    swapped = ", ".join(swap.get(n, n) for n in names)
    out = [f"{result} {name}({', '.join(declarations) or 'void'})", "{",
           f"    TND_MPI_REAL({number}, {name}, {'MPI_ERR_OTHER' if result == 'int' else 0});",
           "    uint64_t tnd_time;",
           f"    struct tnd_thread *const tnd_thread = tnd_mpi_message_enter({value[0]}, {value[1]}, &tnd_time);"]
    if "always" in plan:
        out += [f"    const {result} tnd_result = tnd_real({plain});",
                "    if (tnd_result == MPI_SUCCESS)", f"        {part['after']}",
                "    if (tnd_thread)",
                f"        tnd_mpi_message_leave(tnd_thread, {value[0]}, tnd_clock_ticks());"]
    else:
        out += ["    if (!tnd_thread)", f"        return tnd_real({plain});"]
        out += [part["locals"].rstrip("\n")] if "locals" in part else []
        out += [f"    {part['before']}"] if "before" in part else []
        out += [f"    const {result} tnd_result = tnd_real({swapped});", "    tnd_time = tnd_clock_ticks();"]
        out += ["    if (tnd_result == MPI_SUCCESS) {", f"        {part['after']}", "    }"] if "after" in part else []
        out += [f"    {part['ended']}"] if "ended" in part else []
        out += [f"    tnd_mpi_message_leave(tnd_thread, {value[0]}, tnd_time);"]
    return "\n".join(out + ["    return tnd_result;", "}", ""])


def main():
    event_types, calls_path, output = sys.argv[1:4]
    values, calls = read_values(event_types), read_calls(calls_path)
    wrapped = [p for p in read_prototypes(sys.argv[4:]) if p[1] in values]
    if len(wrapped) < 100:
        sys.exit("generate.py: no MPI calls found in <mpi.h>: is this a C header of MPI?")
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by intercept/mpi/generate.py from <mpi.h>: do not edit.  Context: MPI calls of the program. */\n"
                   "#pragma GCC visibility push(default)\n" + INCLUDE + "#pragma GCC visibility pop\n"
                   '#include "formats/event_types.h"\n#include "intercept/mpi/mpi_collective.h"\n'
                   '#include "intercept/mpi/mpi_batch.h"\n#include "intercept/mpi/mpi_message.h"\n'
                   '#include "intercept/mpi/mpi_world.h"\n\n'
                   '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n')
        file.write("const char *const tnd_mpi_library_names[] = {\n")
        file.write("".join(f'    "P{name}",\n' for _, name, _ in wrapped) + "};\n\n")
        file.write(f"void *tnd_mpi_library_calls[{len(wrapped)}];\n\n")
        for number, (result, name, declarations) in enumerate(wrapped):
            file.write(wrapper(number, result, name, declarations, values[name], calls.get(name)) + "\n")


main()
