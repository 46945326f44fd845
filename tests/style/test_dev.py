# SPDX-License-Identifier: GPL-3.0-or-later
"""`./dev`: it explains all its commands, and a package that cannot be installed stops it.  apt-get is a stand-in here."""
import os
import re
import subprocess

import pytest


@pytest.fixture
def dev(root, tmp_path):
    """dev(*words, dpkg=script, apt=script) -> (CompletedProcess, what apt-get was asked)."""

    def run_dev(*words, dpkg, apt="exit 0"):
        for name, text in {"dpkg-query": dpkg, "apt-get": f'echo "$*" >>{tmp_path}/asked\n{apt}', "sudo": 'exec "$@"'}.items():
            (tmp_path / name).write_text("#!/bin/sh\n" + text + "\n")
            (tmp_path / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        result = subprocess.run(
            [root / "dev", *words], env=environment, capture_output=True, text=True, timeout=60, cwd=tmp_path
        )
        asked = tmp_path / "asked"
        return result, asked.read_text() if asked.exists() else ""

    return run_dev


def test_all_is_there(dev):
    result, asked = dev("setup", dpkg='shift 2; for p; do echo "ii  $p"; done')
    assert (result.returncode, result.stdout, result.stderr, asked) == (0, "", "", "")


def test_what_lacks_is_installed_by_name(dev, tmp_path):
    dpkg = f'shift 2; for p; do [ $p = hpcc ] && ! grep -q hpcc {tmp_path}/asked && continue; echo "ii  $p"; done'
    result, asked = dev("setup", dpkg=dpkg)
    assert result.returncode == 0, result.stderr
    assert re.search(r"install .*--no-install-recommends hpcc$", asked, re.M)


def test_package_that_stays_away_stops_it(dev):
    result, _ = dev("setup", dpkg='shift 2; for p; do [ $p = hpcc ] || echo "ii  $p"; done')
    assert result.returncode != 0 and "could not install: hpcc" in result.stderr
    result, _ = dev("build", dpkg='shift 2; for p; do [ $p = hpcc ] || echo "ii  $p"; done', apt="exit 100")
    assert result.returncode != 0


def test_help_names_every_command(root, dev):
    result, _ = dev("help", dpkg="exit 1")
    cases = re.findall(r"^    ([a-z]+)\) ", (root / "dev").read_text(), re.M)
    assert {"setup", "build", "test", "demo", "bench", "lint", "fuzz", "run"} <= set(cases)
    assert not [name for name in cases if not re.search(rf"^  {name}\b", result.stdout, re.M)]
    assert dev("nonsense", dpkg="exit 1")[0].returncode == 2


def test_integration_runs_what_people_run(root):
    commands = [line for line in (root / ".ci" / "run").read_text().splitlines() if line and not line.startswith("#")]
    assert commands == ['exec "$(dirname "$0")/../dev" test']
