# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts single tests over whole runs: `count.py testlog.json...` prints `N passed, N failed, N skipped`, and in the line before
how often tests had to try again (tests/retries.py): `retries: name 2 of 40, ...`.

NAME=OK or NAME=FAIL instead of a file is one test that was run elsewhere.

Meson counts a program as one test; this counts what the program said: its TAP lines, or pytest's last line.  A program
that said nothing is one test; one that failed without saying which test counts as one failure.  Exit status 1 if
anything failed or nothing ran.
"""
import collections
import json
import re
import sys

PYTEST = re.compile(r"(\d+) (passed|failed|error|errors|skipped|xfailed|xpassed)\b")
FIELDS = {"error": "failed", "errors": "failed", "xfailed": "skipped", "xpassed": "failed"}


def count_program(result, stdout):
    """One program's result as meson has it and its output -> [passed, failed, skipped]."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    lines = [line.rstrip() for line in stdout.splitlines()]
    for line in lines:
        tap = re.match(r"(not ok|ok)\b(.*)", line)
        if tap:
            skipped = re.search(r"#\s*(skip|todo)", tap[2], re.IGNORECASE)
            counts["skipped" if skipped else "passed" if tap[1] == "ok" else "failed"] += 1
    last = lines[-1] if lines else ""
    if not sum(counts.values()) and re.search(r" in [\d.]+s", last):
        for number, word in PYTEST.findall(last):
            counts[FIELDS.get(word, word)] += int(number)
    fine = result in ("OK", "EXPECTEDFAIL", "SKIP")
    if not fine and not counts["failed"]:
        counts["failed"] += 1
    elif not sum(counts.values()):
        counts["skipped" if result == "SKIP" else "passed"] += 1
    return [counts["passed"], counts["failed"], counts["skipped"]]


def count_retries(stdout, retries):
    """Adds to {name: [how often it was needed, of how many]} what a program's output says of it."""
    for line in stdout.splitlines():
        if line.startswith("retries: "):
            for name, n_needed, n_of in re.findall(r"([\w-]+) (\d+) of (\d+)", line):
                retries[name] = [retries[name][0] + int(n_needed), retries[name][1] + int(n_of)]


def main(names):
    total, failures, retries = [0, 0, 0], [], collections.defaultdict(lambda: [0, 0])
    for name in names:
        step, _, result = name.rpartition("=")
        try:
            if step:
                programs = [{"name": step, "result": result}]
            else:
                with open(name, encoding="utf-8") as file:
                    programs = [json.loads(line) for line in file]
        except OSError as error:
            programs = [{"name": name, "result": "FAIL", "stdout": str(error)}]
        for program in programs:
            counts = count_program(program["result"], program.get("stdout") or "")
            total = [a + b for a, b in zip(total, counts)]
            count_retries(program.get("stdout") or "", retries)
            if counts[1]:
                failures.append(program["name"])
    for failure in failures:
        print("failed:", failure)
    told = [f"{name} {n_needed} of {n_of}" for name, (n_needed, n_of) in sorted(retries.items())]
    print("retries:", ", ".join(told) or "none")
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
