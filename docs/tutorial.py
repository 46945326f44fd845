# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what docs/tutorial.md tells its readers to do: `./dev run /usr/bin/python3 docs/tutorial.py DIRECTORY`.

Each command of the page's `sh` blocks runs in DIRECTORY, which gets a copy of the demo, and is printed before; the first
that fails ends it.  With `--pictures`, the page's pictures are replaced by those made.
"""
import pathlib
import re
import shutil
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent
THE_SHELL = "./dev run bash\n"  # what puts tandem on the path: the caller has done so


def blocks():
    """The page's `sh` blocks, in their order."""
    return re.findall(r"^```sh\n(.*?)^```$", (DOCS / "tutorial.md").read_text(encoding="utf-8"), re.M | re.S)


def main(directory, pictures=False):
    directory = pathlib.Path(directory)
    shutil.copytree(DOCS.parent / "demo", directory / "demo", dirs_exist_ok=True)
    commands = "".join(block for block in blocks() if block != THE_SHELL)
    status = subprocess.run(["bash", "-evc", commands], cwd=directory, stderr=sys.stdout).returncode
    for name in ("before", "after"):
        if pictures and not status:
            shutil.copy(directory / f"{name}.png", DOCS / "images" / f"tutorial-{name}.png")
    return status


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--pictures"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], pictures=len(sys.argv) == 3))
