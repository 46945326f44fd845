# SPDX-License-Identifier: GPL-3.0-or-later
"""What samples are called: code that no symbol table of a file names, or no file has."""
import re

import pytest

from samples import FUNCTION, samples_of

CLOCKS = """#include <time.h>
int main(void)
{
    struct timespec now, begin;
    for (clock_gettime(CLOCK_MONOTONIC, &begin), now = begin; now.tv_sec - begin.tv_sec < 2;)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return 0;
}
"""


def shares_of(prv):
    """{innermost function: its share of the samples}, and the stacks."""
    samples = [stack for samples in samples_of(prv).values() for stack, _ in samples]
    assert len(samples) > 50
    innermost = [stack[-1] for stack in samples]
    return {name: innermost.count(name) / len(samples) for name in innermost}, samples


@pytest.mark.parametrize("words", [["--sampling-period", "2ms"], ["--sampling-period", "2ms", "--no-merge"]])
def test_vdso(run, tandem, compile_program, tmp_path, machine, words):
    """A loop that asks for the time is in the function of the kernel's module, below the C library's."""
    program = compile_program(CLOCKS, name="clocks")
    run(tandem, "record", *words, "-o", "app.prv", "--", program, check=True)
    if "--no-merge" in words:
        run(tandem, "merge", "app.tandem", check=True)
    shares, stacks = shares_of(tmp_path / "app.prv")
    name = max(shares, key=shares.get)
    assert re.fullmatch("__(vdso|kernel)_clock_gettime", name) and shares[name] > 0.5, shares
    assert not [other for other in shares if "+0x" in other or other.startswith("0x")]
    assert [stack for stack in stacks if stack[-1] == name and stack[-3:-1] == ["main", "clock_gettime"]]
    assert f"{name} ([vdso])" in (tmp_path / "app.pcf").read_text()
    for command in ("report", "stat"):
        assert re.search(rf" {name}$", run(tandem, command, "app.prv", check=True).stdout, re.M)
