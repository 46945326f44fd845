#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes as a C table (cli/mpi_calls.h) what each MPI call is recorded with, of the same tables as the wrappers: every call
that event_types.tsv has a value for, whichever library it is of.

    list_calls.py EVENT_TYPES CALLS OUTPUT
"""
import sys

import generate


def described(name, calls, plain, told):
    """(what is recorded besides enter and leave or why nothing is, whether something is)"""
    if name in calls:
        return told[calls[name][0]], True
    _, reason = generate.plain_reason(plain, name)
    if not reason:
        sys.exit(f"calls.tsv: {name}: has a value in event_types.tsv, but nothing says what it is")
    return reason, False


def main():
    event_types, calls_path, output = sys.argv[1:]
    values, tables = generate.read_values(event_types), generate.read_calls(calls_path)
    rows = sorted((*described(name, *tables), name) for name in values)
    with open(output, "w", encoding="utf-8") as file:
        file.write('/* Made by intercept/mpi/list_calls.py: do not edit. */\n#include "cli/mpi_calls.h"\n\n'
                   "const struct tnd_mpi_call tnd_mpi_calls[] = {\n")
        file.write("".join(f'    {{"{name}", "{text}", {str(is_more).lower()}}},\n' for text, is_more, name in rows))
        file.write(f"}};\nconst unsigned tnd_mpi_calls_n = {len(rows)};\n")


main()
