# SPDX-License-Identifier: Apache-2.0
"""python3 -m tandem [options of `tandem record`] script.py [arguments]

Runs a script, or -m MODULE, or -c COMMAND, under `tandem record --python all`.  In a program that is recorded already,
a rank of `tandem record -- mpirun` say, it runs the script with those settings for what starts there.
"""
import os
import re
import shutil
import subprocess
import sys

USAGE = 2


def find_command():
    """`tandem` of the installation that this package is part of, else of PATH; None."""
    place = os.path.dirname(os.path.abspath(__file__))
    while place != os.path.dirname(place):
        place = os.path.dirname(place)
        command = os.path.join(place, "bin", "tandem")
        if os.access(command, os.X_OK):
            return command
    return shutil.which("tandem")


def read_options(command):
    """{option as written: (its long name, whether it takes a value)}, as the command lists them itself."""
    alone = {**os.environ, "TANDEM_RUN": "none"}  # no process of a run
    alone.pop("LD_PRELOAD", None)
    words = [command, "record", "--help"]
    text = subprocess.run(words, env=alone, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    options = {}
    for short, long, value in re.findall(r"^ {2,6}(?:-(\w), )?--([a-z-]+)(=\S+)?", text, re.M):
        for written in ["--" + long] + (["-" + short] if short else []):
            options[written] = long, bool(value)
    return options


def split(words, options):
    """Options for tandem as [(name, value or None)], and what Python is to run.  A mistake: ValueError."""
    ours, words = [], list(words)
    while words and words[0].startswith("-") and words[0] not in ("-", "-m", "-c"):
        word, equals, value = words.pop(0).partition("=")
        if word == "--":
            break
        if word not in options:
            raise ValueError(f"{word}: no such option of `tandem record`")
        name, takes_value = options[word]
        if takes_value and not equals:
            if not words or words[0].startswith("--"):
                raise ValueError(f"{word}: takes a value")
            value = words.pop(0)
        ours.append((name, value if takes_value else None))
    if not words and ("help", None) not in ours:
        raise ValueError("takes a script")
    return ours, words


def set_environment(ours):
    """Settings by their variables, for a program whose run began elsewhere."""
    for name, value in ours:
        on = "0" if name.startswith("no-") else "1"
        variable = "TANDEM_" + (name[3:] if value is None and name.startswith("no-") else name).upper().replace("-", "_")
        os.environ[variable] = on if value is None else value
    os.environ.setdefault("TANDEM_PYTHON", "all")


def main(words):
    command = find_command()
    try:
        if not command:
            raise ValueError("there is no `tandem` beside this package, nor in PATH")
        ours, program = split(words, read_options(command))
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"tandem: python: {error} (see `python3 -m tandem --help`)", file=sys.stderr)
        return USAGE
    if ("help", None) in ours:
        print(__doc__.strip())
        return 0
    python = [sys.executable, *subprocess._args_from_interpreter_flags(), *program]
    if "TANDEM_RUN" in os.environ:
        set_environment(ours)
        os.execv(sys.executable, python)
    settings = [f"--{name}" if value is None else f"--{name}={value}" for name, value in ours]
    if not any(name == "python" for name, value in ours) and not os.environ.get("TANDEM_PYTHON"):
        settings.insert(0, "--python=all")
    os.execv(command, [command, "record", *settings, "--", *python])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
