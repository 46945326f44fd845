# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual pages say what the programs do: every command has one, every option is in both, and groff reads them."""
import re
import subprocess

import pytest

OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
# The help of GLib's parser and of GTK names these; they are no options of ours.
FOREIGN = {"help-all", "help-gtk", "gtk-module", "display", "class", "name", "g-fatal-warnings"}


def output(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=30)
    assert result.returncode == 0, (command, result.stderr)
    return result.stdout


def options_of_page(text):
    """Options that a page documents: at the beginning of an item."""
    items = re.findall(r"^\.TP\n(.*)$", text, re.M)
    return {name for item in items for name in OPTION.findall(item.replace(r"\-", "-"))}


def options_of_help(text):
    """Options that a help lists: lines that begin with one."""
    lines = [line for line in text.splitlines() if re.match(r"\s+-", line)]
    return {name for line in lines for name in OPTION.findall(re.split(r" {2,}", line.strip())[0])} - FOREIGN


def test_no_option_twice(root):
    for page in pages(root):
        items = re.findall(r"^\.TP\n(.*)$", page.read_text(), re.M)
        assert len(items) == len(set(items)), page.name


def commands(tandem):
    found = re.findall(r"^  ([a-z]+)  +\S", output(tandem, "--help"), re.M)
    assert "record" in found
    return found


def pages(root):
    found = sorted((root / "docs" / "man").glob("*.[1-8]"))
    assert found
    return found


def test_options_of_commands(root, tandem):
    wrong = []
    for command in commands(tandem):
        page = root / "docs" / "man" / f"tandem-{command}.1"
        if not page.exists():
            wrong.append(f"tandem {command}: no manual page")
            continue
        in_page, in_help = options_of_page(page.read_text()), options_of_help(output(tandem, command, "--help"))
        wrong += [f"{page.name}: lacks --{name}" for name in sorted(in_help - in_page)]
        wrong += [f"{page.name}: --{name} is no option" for name in sorted(in_page - in_help)]
    assert not wrong, "\n".join(wrong)


def test_options_of_tview(root, tview):
    in_page = options_of_page((root / "docs" / "man" / "tview.1").read_text())
    assert in_page == options_of_help(output(tview, "--help"))


@pytest.mark.parametrize("header, page", [("runtime/tandem.h", "tandem.3"), ("analysis/tandem_analysis.h", "tandem_analysis.3")])
def test_every_function_of_a_header(root, header, page):
    declared = set(re.findall(r"\b(tandem_\w+)\(", (root / header).read_text()))
    text = (root / "docs" / "man" / page).read_text()
    assert declared and not {name for name in declared if name not in text}


def test_groff_reads_the_pages(root):
    for page in pages(root):
        result = subprocess.run(
            ["groff", "-ww", "-man", "-Tutf8", "-z", str(page)], capture_output=True, text=True, timeout=30
        )
        assert result.returncode == 0 and not result.stderr, (page.name, result.stderr)


def test_pages_are_installed(root):
    listed = (root / "docs" / "meson.build").read_text()
    assert all(f"'man/{page.name}'" in listed for page in pages(root))


@pytest.mark.parametrize(
    "text, found",
    [(".TP\n.BI \\-o \" F\\fR, \" \\-\\-output \" F\"\nsee \\-\\-other", {"output"}), (".B \\-\\-x\n", set())],
)
def test_reader_of_pages(text, found):
    assert options_of_page(text) == found


def test_reader_of_help():
    assert options_of_help("Usage: x --no\n  -o, --output=FILE   like --output\n  --long   x\n") == {"output", "long"}
