# SPDX-License-Identifier: GPL-3.0-or-later
"""What `meson install` leaves works where it stands: also under a DESTDIR, also through LD_PRELOAD and tandem.pc."""
import json
import pathlib
import shlex
import subprocess

import pytest

PROGRAM = r"""
#include <stdio.h>
#include <tandem.h>

int main(void)
{
    tandem_region solve = tandem_region_register("solve");
    tandem_region_begin(solve);
    printf("recording %d\n", tandem_recording());
    tandem_region_end(solve);
    return 3;
}
"""


@pytest.fixture(scope="module")
def installed(build_dir, tmp_path_factory):
    """The prefix below a DESTDIR, and the library's directory."""
    destination = tmp_path_factory.mktemp("destination")
    command = ["meson", "install", "-C", str(build_dir), "--no-rebuild", "--destdir", str(destination)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    options = subprocess.run(
        ["meson", "introspect", "--buildoptions", str(build_dir)], check=True, capture_output=True, text=True
    ).stdout
    values = {option["name"]: option["value"] for option in json.loads(options)}
    prefix = pathlib.Path(f"{destination}{values['prefix']}")
    return prefix, prefix / values["libdir"]


@pytest.fixture(scope="module")
def program(installed, tmp_path_factory):
    """A program compiled with what tandem.pc says."""
    prefix, libdir = installed
    destination = str(prefix).removesuffix("/usr/local")
    words = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tandem"],
        env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(libdir / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": destination},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    directory = tmp_path_factory.mktemp("program")
    (directory / "app.c").write_text(PROGRAM)
    subprocess.run(
        ["gcc", "-o", str(directory / "app"), str(directory / "app.c"), *shlex.split(words), f"-Wl,-rpath,{libdir}"],
        check=True,
    )
    return directory / "app"


def test_everything_is_there(installed):
    prefix, libdir = installed
    for name in ("bin/tandem", "bin/tview", "include/tandem.h", "share/man/man1/tandem.1", "share/man/man3/tandem.3",
                 "share/tandem/views/ipc.view"):
        assert (prefix / name).is_file(), name
    for name in ("libtandem.so", "libtandem-mpich.so", "libtandem-heap.so", "libtandem-mpich-heap.so", "pkgconfig/tandem.pc"):
        assert (libdir / name).is_file(), name


def test_views_are_found(installed, run):
    prefix, _ = installed
    assert "\nipc " in run(prefix / "bin" / "tview", "--list-views").stdout


def test_python_finds_the_package(installed, run):
    """Where /usr/bin/python3 looks, were it not for the DESTDIR."""
    prefix, _ = installed
    place = next(prefix.glob("lib/python3*/*/tandem/__init__.py")).parent.parent
    looked = run("/usr/bin/python3", "-c", "import sys; print(*sys.path, sep='\\n')").stdout.splitlines()
    assert "/usr/local/" + place.relative_to(prefix).as_posix() in looked
    told = run("/usr/bin/python3", "-m", "tandem", "-c", "print(7)", env={"PYTHONPATH": place, "PATH": "/usr/bin:/bin"})
    assert told.stdout == "7\n" and told.stderr.startswith("tandem: python3")  # the command beside it


def test_linked_program_alone(program, run, tmp_path):
    result = run(program)
    assert (result.returncode, result.stdout, result.stderr) == (3, "recording 0\n", "")
    assert list(tmp_path.iterdir()) == []


def test_record(installed, program, run, tmp_path):
    tandem = installed[0] / "bin" / "tandem"
    result = run(tandem, "record", "--", program)
    assert (result.returncode, result.stdout) == (3, "recording 1\n"), result.stderr
    assert run(tandem, "check", "app.prv").returncode == 0
    assert "solve" in (tmp_path / "app.pcf").read_text()
    assert not (tmp_path / "app.tandem").exists()


def test_preload(installed, program, run, tmp_path):
    prefix, libdir = installed
    result = run(program, preload=libdir / "libtandem.so", env={"SAMPLING_PERIOD": "1ms"})
    assert (result.returncode, result.stdout) == (3, "recording 1\n"), result.stderr
    assert run(prefix / "bin" / "tandem", "check", "app.prv").returncode == 0
    assert "solve" in (tmp_path / "app.pcf").read_text()


def test_picture(installed, program, run, tmp_path):
    prefix = installed[0]
    run(prefix / "bin" / "tandem", "record", "-o", "x.prv", "--", program)
    run(prefix / "bin" / "tview", "x.prv", "--view", "state", "--export", "x.png", check=True)
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
