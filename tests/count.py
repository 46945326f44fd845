# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts single tests over whole runs: `count.py testlog.json...` prints `N passed, N failed, N skipped`, and in the line before
how often tests had to try again (tests/retries.py): `retries: name 2 of 40, ...`.

Before them, `failed: program: test: where: why` says which tests failed, in so few lines that all is seen at once.

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
TITLE = re.compile(r"^_{3,} (?:ERROR at \w+ of )?(.+?) _{3,}$", re.M)  # of what pytest tells of a failure
FAILURES_SHOWN = 17  # with the lines after them, 20
LINE_LENGTH = 200
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


def reason_of_pytest(report):
    """What pytest tells of one failure -> `file:line: message`."""
    places = re.findall(r"^(\S+\.py:\d+): ", report, re.M)
    messages = re.findall(r"^E {1,7}(\S.*)", report, re.M)
    return ": ".join(places[-1:] + messages[:1])


def tell_failures(program):
    """A failed program as meson has it -> a line for each failure: the program, the test, where and why."""
    name, stdout = program["name"], program.get("stdout") or ""
    output = stdout + "\n" + (program.get("stderr") or "")
    parts = TITLE.split(stdout.split("short test summary info")[0])
    reasons = [f"{test}: {reason_of_pytest(report)}" for test, report in zip(parts[1::2], parts[2::2])]
    if not reasons:
        reasons = [line.strip() for line in re.findall(r"^(?:not ok\b|Bail out!)(.*)", stdout, re.M)]
    if not reasons:  # a program that ended otherwise: what it said last, or how it ended
        said = [line.strip() for line in output.splitlines() if line.strip()]
        sanitizer = [line for line in said if re.search(r"ERROR: \w*Sanitizer|runtime error:", line)]
        reasons = sanitizer[:1] or [": ".join([program["result"], *said[-1:]])]
    return [f"{name}: {reason}"[:LINE_LENGTH] for reason in reasons]


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
                failures += tell_failures(program)
    for failure in failures[:FAILURES_SHOWN]:
        print("failed:", failure)
    if len(failures) > FAILURES_SHOWN:
        print(f"failed: ... and {len(failures) - FAILURES_SHOWN} more")
    told = [f"{name} {n_needed} of {n_of}" for name, (n_needed, n_of) in sorted(retries.items())]
    print("retries:", ", ".join(told) or "none")
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
