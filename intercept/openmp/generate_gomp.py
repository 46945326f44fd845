#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the wrappers of libgomp's entry points that are in gomp_calls.tsv.

    generate_gomp.py CALLS OUTPUT

Arguments keep the table's names, so everything of ours inside a wrapper begins with tnd_.
"""
import itertools
import re
import sys

ENTER = "tnd_openmp_self_enter(tnd_thread, tnd_time, TND_TYPE_OPENMP_%s, %s);"
LEAVE = "tnd_openmp_self_leave(tnd_thread, tnd_time, TND_TYPE_OPENMP_%s, %s);"
VALUE = "tnd_openmp_self_value(tnd_thread, tnd_time, TND_TYPE_OPENMP_%s, %s);"
CHUNK = VALUE % ("CHUNK", "TND_OPENMP_SELF_CHUNK(tnd_result, istart, iend)")
SECTION = VALUE % ("CHUNK", "tnd_result != 0")
LOOP = [ENTER % ("WORKSHARING", "4"), VALUE % ("SCHEDULE", "{schedule}")]
REGION = "{{{first}, fn, data, {construct}, {schedule}, {iterations}, {incr}, tnd_thread}};"
PARALLEL, PARALLEL_OVER = ENTER % ("PARALLEL", "{value}"), LEAVE % ("PARALLEL", "0")

# What goes around the real call, by kind: lines before it, with the time in tnd_time; lines after it, with a new one.  A
# side without lines reads no clock: to get a chunk takes less than to read the clock, so that it is one moment, and the
# time that it took is the chunk's before.
KINDS = {
    "call": ([ENTER % ("{type}", "{value}")], [LEAVE % ("{type}", "0")]),
    "loop": ([], LOOP + [VALUE % ("ITERATIONS", "tnd_openmp_self_loop(start, end, incr)"), CHUNK]),
    "doacross": ([], LOOP + [VALUE % ("ITERATIONS", "TND_OPENMP_SELF_DOACROSS(ncounts, counts)"), CHUNK]),
    "next": ([], [CHUNK]),
    "sections": ([], [ENTER % ("WORKSHARING", "5"), VALUE % ("ITERATIONS", "count"), SECTION]),
    "next_section": ([], [SECTION]),
    "join": ([ENTER % ("JOIN", "1")], [LEAVE % ("JOIN", "0"), LEAVE % ("WORKSHARING", "0")]),
    "end": ([LEAVE % ("WORKSHARING", "0")], []),
    "taskgroup_start": ([ENTER % ("TASKGROUP_CALL", "1")],
                        [LEAVE % ("TASKGROUP_CALL", "0"), ENTER % ("TASKGROUP", "1")]),
    "taskgroup_end": ([ENTER % ("TASKGROUP_CALL", "2")],
                      [LEAVE % ("TASKGROUP_CALL", "0"), LEAVE % ("TASKGROUP", "0")]),
    "lock": ([ENTER % ("{type}", "3")], [LEAVE % ("{type}", "6")]),
    "unlock": ([ENTER % ("{type}", "5")], [LEAVE % ("{type}", "0")]),
    "lock_named": ([ENTER % ("NAMED_LOCK", "3")],
                   [LEAVE % ("NAMED_LOCK", "{got} ? 6 : 0"), VALUE % ("LOCK_NAME", "{got} ? (uintptr_t)lock : 0")]),
    "unlock_named": ([ENTER % ("NAMED_LOCK", "5")], [LEAVE % ("NAMED_LOCK", "0"), VALUE % ("LOCK_NAME", "0")]),
    "set_threads": ([ENTER % ("SET_THREADS", "(uint16_t)({n})")], [LEAVE % ("SET_THREADS", "0")]),
    "parallel": (["struct tnd_gomp_region tnd_region = " + REGION, PARALLEL], [PARALLEL_OVER]),
    "parallel_start": (["struct tnd_gomp_region *const tnd_region = tnd_gomp_region_push();",
                        "if (!tnd_region) {{\n        tnd_real({plain});\n        return;\n    }}",
                        "*tnd_region = (struct tnd_gomp_region)" + REGION, PARALLEL],
                       ["tnd_gomp_region_started(tnd_thread, tnd_time);"]),
    "parallel_end": (["const bool tnd_is_known = tnd_gomp_region_ending(tnd_thread, tnd_time);"],
                     ["if (tnd_is_known)\n        " + PARALLEL_OVER]),
    "fulfill": (["tnd_openmp_self_task(tnd_thread, tnd_time, TND_TASK_FULFIL, 0, (uintptr_t)({event}));"], []),
}
# Arguments of the real call that something else takes the place of.
SWAPS = {
    "parallel": {"fn": "tnd_gomp_region_run", "data": "&tnd_region"},
    "parallel_start": {"fn": "tnd_gomp_region_run", "data": "tnd_region"},
}
DEFAULTS = {"first": "NULL", "construct": "0", "schedule": "0", "iterations": "0", "incr": "1"}
# How a wrapper learns whether to record: libgomp's own calls not when LLVM's library is behind them, which tells of them
# itself; nor the one of the common calls that it tells of.
THREADS = {"GOMP": "TND_GOMP_THREAD()", "omp_": "tnd_openmp_self_thread()",
           "fulfill": "tnd_gomp_region_thread(NULL)"}
COLUMNS = ["call", "kind", "result", "parameters", "facts"]


def expand(pattern):
    """a{b,c}d -> abd, acd"""
    parts = re.split(r"\{([^}]*)\}", pattern)
    return map("".join, itertools.product(*(p.split(",") if i % 2 else [p] for i, p in enumerate(parts))))


def read_parameters(text, is_ull):
    if is_ull:
        text = re.sub(r"\blong\b", "unsigned long long", text).replace("up, ", "bool up, ")
    text = text.replace("up, ", "", not is_ull).replace("long_ ", "long ")
    return [p for p in re.split(r",\s*(?![^()]*\))", text) if p]


def name_of(parameter):
    return (re.search(r"\(\*(\w+)\)", parameter) or re.search(r"(\w+)$", parameter)).group(1)


def wrapper(number, call, kind, result, parameters, facts):
    names = [name_of(p) for p in parameters]
    plain = ", ".join(names)
    swapped = ", ".join(SWAPS.get(kind, {}).get(n, n) for n in names)
    before, after = ([line.format(plain=plain, **facts) for line in lines] for lines in KINDS[kind])
    thread = THREADS.get(kind) or THREADS[call[:4]]
    types = sorted(set(re.findall(r"TND_TYPE_OPENMP_\w+", " ".join(before + after)))) or ["TND_TYPE_OPENMP_TASK"]
    wants = " && ".join(f"!tnd_openmp_self_wants({type})" for type in types)  # of a region: it is always wanted
    keep, give = (f"{result} tnd_result = ", "    return tnd_result;\n") if result != "void" else ("", "")
    return "\n".join([
        f"{result} TND_GUARD_OWN({call})({', '.join(parameters) or 'void'})", "{",
        f"    {result} (*const tnd_real)({', '.join(parameters) or 'void'}) = TND_GOMP_REAL({number});",
        f"    struct tnd_thread *const tnd_thread = {thread};",
        f"    if (!tnd_thread || ({wants}))", f"        return tnd_real({plain});",
        "    uint64_t tnd_time;",
        *(["    tnd_time = tnd_clock_ticks();"] if before else []),
        *(f"    {line}" for line in before),
        f"    {keep}tnd_real({swapped});",
        *(["    tnd_time = tnd_clock_ticks();"] if after else []),
        *(f"    {line}" for line in after)]) + f"\n{give}}}\n"


def read_calls(path):
    """Yields (call, kind, result, parameters, facts) of each call in the table."""
    lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if line[0] != "#"]
    if lines[0] != COLUMNS:
        sys.exit(f"gomp_calls.tsv: the columns must be {COLUMNS}")
    for pattern, kind, result, text, facts_text in lines[1:]:
        facts = DEFAULTS | dict(fact.split("=", 1) for fact in facts_text.split("; ") if fact)
        for call in expand(pattern):
            yield call, kind, result, read_parameters(text, "ull_" in call), facts


def main():
    calls_path, output = sys.argv[1:]
    names, wrappers = [], []
    for call, *rest in read_calls(calls_path):
        wrappers.append(wrapper(len(names), call, *rest))
        names.append(call)
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by intercept/openmp/generate_gomp.py: do not edit.  Context: calls of the program's OpenMP code. */\n"
                   '#include "intercept/base/guard.h"\n#include "intercept/openmp/gomp_region.h"\n\n'
                   '#pragma GCC diagnostic ignored "-Wmissing-prototypes"\n#pragma GCC visibility push(default)\n\n')
        file.write("".join(f"TND_GUARD({name}, TND_GUARD_OPENMP)\n" for name in names) + "\n")
        file.write(f"struct tnd_callee tnd_gomp_region_callees[{len(names)}] __attribute__((visibility(\"hidden\"))) = {{\n")
        file.write("".join(f'    {{TND_GOMP_NAME("{name}"), NULL}},\n' for name in names) + "};\n\n" + "\n".join(wrappers))


if __name__ == "__main__":
    main()
