# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is pressed, dragged and typed, and whatever happens to the file meanwhile, the window neither ends nor uses GTK in a
wrong way, of which GTK tells.  TANDEM_SOAK_SECONDS=180: so long each, and with other seeds."""
import os
import random
import re
import shutil
import subprocess
import time

import pytest

SECONDS = float(os.environ.get("TANDEM_SOAK_SECONDS", 3))
WIDTH, HEIGHT = 1366, 768
KEYS = [*"abcdefghijklmnopqrstuvwxyz0123456789", "plus", "minus", "period", "comma", "slash", "bracketleft", "bracketright", "question",
        "space", "Return", "Escape", "Tab", "Up", "Down", "Left", "Right", "Home", "End", "Page_Up", "Page_Down", "Delete", "BackSpace",
        "F1", "F3", "F10", "Menu"]
MODIFIERS = ["", "", "", "", "shift+", "ctrl+", "ctrl+shift+", "alt+"]
# What GTK's own dialog for files tells of itself, when keys are for a part of it that is not there yet.
OF_GTK = ("gtk_widget_event: assertion 'WIDGET_REALIZED_FOR_EVENT (widget, event)' failed",
          "gdk_window_get_device_position_double: assertion 'GDK_IS_WINDOW (window)' failed")
WORDS = ["5ms", "MPI_Send", "rank:0-2", "1.2.*", ">1ms", "xyz", "/nope.prv", "0-100"]
TRACES = {"mpi": ["synthetic-16.prv"], "hybrid": ["hybrid.prv"], "samples": ["sampling.prv"], "heap": ["malloc.prv"],
          "two": ["synthetic-16.prv", "mpi-collectives.prv"], "cfg": ["mpi-collectives.prv", "histo_3d.cfg"]}


def truncate(path):
    os.truncate(path, path.stat().st_size // 3)


def append(path):
    with path.open("a") as file:
        file.write("1:1:1:1:1:999999999:9999999999:3\n1:99:")


MISFORTUNES = {"is cut off": truncate, "grows": append, "vanishes": lambda path: path.unlink()}


def act(chance):
    """Words for xdotool: a key, a click, a drag, or text."""
    def place():
        return ["mousemove", str(chance.randrange(WIDTH)), str(chance.randrange(HEIGHT))]

    kind = chance.choices(["key", "click", "drag", "type"], [10, 5, 4, 1])[0]
    if kind == "key":
        keys = chance.choice(MODIFIERS) + chance.choice(KEYS)
        return ["key", keys if keys != "ctrl+q" else "q"]  # it ends the window
    if kind == "click":
        repeat = ["--repeat", "2", "--delay", "50"] if chance.random() < 0.2 else []
        return [*place(), "click", *repeat, chance.choice("1111245")]
    if kind == "type":
        return ["type", "--delay", "1", chance.choice(WORDS)]
    button, held = chance.choice("112"), chance.choice(["", "", "ctrl", "shift"])
    moves = [word for _ in range(chance.randint(1, 4)) for word in place()]
    words = [*place(), "mousedown", button, *moves, *(["key", "Escape"] if chance.random() < 0.2 else []), "mouseup", button]
    return ["keydown", held, *words, "keyup", held] if held else words


@pytest.fixture
def display(clean_environment):
    """The environment of programs on a display of its own.  Its number is not one of the first, where MPI programs look for
    displays by themselves, and would end with this one.  Without -noreset it begins anew when its last client goes, and who comes
    meanwhile finds no display: 2 windows of 150 beside xdotool, which comes and goes."""
    read, write = os.pipe()
    number = 200 + os.getpid() % 5000
    command = ["Xvfb", f":{number}", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as ready:
            assert ready.readline().strip() == str(number)
        yield {**clean_environment, "DISPLAY": f":{number}"}
        server.terminate()


@pytest.fixture
def use(display, tview, root, tmp_path):
    """use(seed, files, misfortune): uses a window of these traces and configurations at random."""

    def act_at_random(window, environment, chance, misfortune):
        search = ["xdotool", "search", "--pid", str(window.pid), "--onlyvisible", "--name", "."]
        deadline = time.monotonic() + 60
        while subprocess.run(search, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            assert window.poll() is None and time.monotonic() < deadline, "no window came up"
            time.sleep(0.1)
        until, acts = time.monotonic() + SECONDS, []
        while time.monotonic() < until and window.poll() is None:
            words = [word for _ in range(8) for word in act(chance) if word not in ("ctrl+q", "ctrl+shift+q")]
            acts.append(" ".join(words))
            subprocess.run(["xdotool", *words], env=environment, timeout=60, stderr=subprocess.DEVNULL)
            if len(acts) == 2:
                misfortune()
        return window.poll(), acts

    def use_window(seed, files, misfortune=lambda path: None):
        for file in files:
            stem, _, ending = file.rpartition(".")
            place = root / "tests/data" / ("cfgs" if ending == "cfg" else f"traces/{stem}")
            for path in place.glob(f"{stem}.*"):
                shutil.copy(path, tmp_path)
        environment = {**display, "NO_AT_BRIDGE": "1", "HOME": str(tmp_path),
                       **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CACHE", "CONFIG", "DATA")}}
        with subprocess.Popen([tview, *(tmp_path / file for file in files)], env=environment, cwd=tmp_path,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as window:
            try:
                status, acts = act_at_random(window, environment, random.Random(seed),
                                             lambda: misfortune(tmp_path / files[0]))
            finally:
                window.terminate()
            said = window.communicate(timeout=30)[0]
        faults = [fault for fault in re.findall(r"-(?:CRITICAL|ERROR) \*\*: \S+ (.*)", said) if fault not in OF_GTK]
        assert status is None and not faults, "\n".join([f"status {status}, seed {seed}", *acts[-3:], said])

    return use_window


@pytest.mark.parametrize("kind", TRACES)
def test_any_trace(use, kind):
    use(time.time_ns() if "TANDEM_SOAK_SECONDS" in os.environ else kind, TRACES[kind])


@pytest.mark.parametrize("what", MISFORTUNES)
def test_the_file_changes(use, what):
    use(what, TRACES["mpi"], MISFORTUNES[what])
