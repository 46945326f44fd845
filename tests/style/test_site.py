# SPDX-License-Identifier: GPL-3.0-or-later
"""The web site of the documentation: its pages are valid, have what the sources have, and lead to each other only."""
import html.parser
import re
import shutil
import subprocess
import sys

import pytest


class Page(html.parser.HTMLParser):
    """What a page links to, its anchors and its headings."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.text = [], set(), ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self.anchors.add(attributes.get("id"))

    def handle_data(self, data):
        self.text += data


def make(root, directory):
    return subprocess.run([sys.executable, root / "docs" / "site.py", directory], capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def site(root, tmp_path_factory):
    directory = tmp_path_factory.mktemp("site")
    result = make(root, directory)
    assert result.returncode == 0 and not result.stderr, result.stderr
    return directory


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_source_is_a_page(root, site):
    for source in [*root.glob("docs/*.md"), *root.glob("docs/decisions/*.md"), root / "HACKING.md"]:
        assert (site / source.relative_to(root).with_suffix(".html")).exists(), source
    for manual in root.glob("docs/man/*.[13]"):
        assert (site / "docs" / "man" / f"{manual.name}.html").exists(), manual
    assert (site / "index.html").exists()


def test_links_lead_to_pages_and_their_headings(pages):
    n_followed = 0
    for path, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            if target.startswith(("https:", "http:")):
                continue
            other = path.parent.joinpath(target).resolve() if target else path
            assert other.is_file(), (path, link)
            assert not anchor or anchor in pages[other].anchors, (path, link)
            n_followed += 1
    assert n_followed > 1000


def test_pages_have_what_the_sources_have(site, pages):
    assert "Sampling and instrumentation, in tandem:" in pages[site / "index.html"].text
    assert "--sampling-period" in pages[site / "docs" / "man" / "tandem-record.1.html"].text
    assert "](" not in pages[site / "docs" / "from-paraver.html"].text
    assert "tandem-stat.1.html" in "".join(pages[site / "docs" / "man" / "tandem-record.1.html"].links)


def test_pages_are_valid(pages):
    words = ["tidy", "-quiet", "-errors", "-utf8", "--show-filename", "yes", *pages]
    said = subprocess.run(words, capture_output=True, text=True, timeout=60).stderr
    faults = [line for line in said.splitlines() if re.search(r" - Error: |missing </|unexpected </|discarding", line)]
    assert not faults, faults
    assert "aria-current" in said  # which the tool does not know: it has read them


def test_a_link_to_nothing_is_told(root, tmp_path):
    copied = tmp_path / "copy"
    copied.mkdir()
    for name in ("docs", "LICENSES"):
        shutil.copytree(root / name, copied / name)
    for name in ("README.md", "HACKING.md", "CHANGELOG.md"):
        shutil.copy(root / name, copied)
    with (copied / "docs" / "heap.md").open("a") as page:
        page.write("\nSee [nothing](nothing.md).\n")
    (copied / "docs" / "strange.md").write_text("# Strange\n")
    result = make(copied, tmp_path / "site")
    assert result.returncode == 1
    assert "docs/heap.md: nothing.md is not there" in result.stderr
    assert "docs/strange.md: is in no group of links" in result.stderr
