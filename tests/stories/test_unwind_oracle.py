# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks that the sampler walks in its handler are those that libunwind finds in the same place, frame by frame."""
import pytest

# Programs, of others but for one, and the least number of stacks to compare.
PROGRAMS = {
    "python": (["/usr/bin/python3", "-c", "import json, re; d = [json.dumps({'a': [i] * 20}) for i in range(100000)]\n"
                "print(sum(len(re.sub('[0-9]', 'x', s)) for s in d))"], 50),
    "compiler": (["gcc", "-O2", "-x", "c", "-S", "-o", "/dev/null", "big.c"], 20),
    "database": (["sqlite3", ":memory:", "with recursive t(x) as (select 1 union all select x + 1 from t where x < 2000000) "
                  "select sum(x * x % 7) from t;"], 50),
    "exceptions": (["throws", 200], 50),
    "recursion": (["recurses", 400], 50),
}  # fmt: skip
WALKS = ("sampler/unwind.c", *(f"unwind/unwind_{name}.c" for name in ("tables", "trail", "rows", "rule", "own")))


@pytest.fixture
def oracle(compile_program, root):
    sources = [root / name for name in WALKS]
    return compile_program("unwind_oracle", flags=("-shared", "-fPIC", "-O2"), libraries=(*map(str, sources), "-lunwind"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_frames_are_those_of_libunwind(run, compile_program, oracle, tmp_path, name):
    command, least = PROGRAMS[name]
    if name in ("exceptions", "recursion"):
        source = {"exceptions": "throws.cc", "recursion": "recurses.c"}[name]
        command = [compile_program(source, flags=("-O3", "-fomit-frame-pointer")), *command[1:]]
    functions = (f"int f{i}(int n) {{ int s = 0; for (int k = 0; k < n; k++) s += k * {i} % (n + 1); return s; }}" for i in range(800))
    (tmp_path / "big.c").write_text("\n".join(functions))
    run(*command, cwd=tmp_path, preload=oracle, env={"UNWIND_ORACLE": tmp_path / "said"}, check=True)
    lines = (tmp_path / "said").read_text().splitlines()
    n_stacks, n_frames, n_equal = map(sum, zip(*(map(int, line.split()) for line in lines if line[0] != " ")))
    assert n_stacks >= least and n_frames > 3 * n_stacks
    assert n_equal >= 0.999 * n_frames, lines
