# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a web site of the documentation: `docs/site.py DIRECTORY`, or `./dev site`.

Its pages are README.md, docs/*.md, what they link to, and the manual pages, at the same paths with the ending .html;
README.md is index.html.  A link to what is not there is an error.  It needs Python's markdown, and mandoc.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What the column of links has, group by group: pages by their paths, or all that match.  The title is a page's heading.
GROUPS = (
    ("Begin", ("README.md", "docs/tutorial.md", "docs/from-*.md")),
    ("Sources", ("docs/openmp.md", "docs/python.md", "docs/libraries.md", "docs/heap.md", "docs/counters.md", "docs/sensors.md", "docs/gr740.md")),
    ("Examples", ("docs/gpaw.md", "docs/embedded-figures.md", "docs/python-traces.md", "docs/tested-programs.md")),
    ("Reference", ("docs/views.md", "docs/paraver-functions.md", "docs/event-types.md", "docs/record-format.md")),
    ("Commands", ("docs/man/*.1", "docs/man/*.3")),
    ("Developers", ("HACKING.md", "docs/ARCHITECTURE.md", "CHANGELOG.md", "docs/decisions/*.md")),
)
MANUALS = (".1", ".3")
STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2329;--faint:#5a6570;--line:#d8dde2;--block:#f4f6f8;--link:#1a5fb4}
@media(prefers-color-scheme:dark){:root{--paper:#16191d;--ink:#dfe4e9;--faint:#98a3ad;--line:#343b42;--block:#20252a;--link:#8ab8f2}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
a{color:var(--link)}h1,h2,h3{line-height:1.25}h2{margin-top:2em}main{max-width:56rem;padding:1rem 2rem 4rem;min-width:0}
nav{padding:1.5rem;border-right:1px solid var(--line);font-size:14px}nav ul{list-style:none;margin:0 0 1rem;padding:0}
nav a{text-decoration:none}nav summary{color:var(--faint);cursor:pointer;margin-top:.5rem}nav [aria-current]{font-weight:bold;color:var(--ink)}
pre{background:var(--block);padding:.8rem 1rem;overflow-x:auto;line-height:1.4}pre,code{font:14px ui-monospace,monospace}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border-bottom:1px solid var(--line);padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}
img{max-width:100%;height:auto}.head,.foot{display:none}.permalink{color:inherit;text-decoration:none}
@media(min-width:60rem){body{display:grid;grid-template-columns:19rem 1fr}nav{min-height:100vh}}
@media print{nav{display:none}}
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<nav aria-label="Pages">
{links}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def address(path):
    """The path of a page in the site; of another file, its own."""
    if path.name == "README.md":
        return path.with_name("index.html")
    if path.suffix in MANUALS:
        return path.with_name(path.name + ".html")
    return path.with_suffix(".html") if path.suffix == ".md" else path


def title_of(path):
    if path.suffix == ".md":
        return re.search(r"^# (.*)$", (ROOT / path).read_text(encoding="utf-8"), re.M)[1].replace("`", "")
    return f"{path.stem}({path.suffix[1:]})"


def slug(heading, _separator):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def body_of(path):
    if path.suffix == ".md":
        extensions = ["tables", "fenced_code", "toc", "sane_lists"]
        return markdown.markdown((ROOT / path).read_text(encoding="utf-8"), extensions=extensions, extension_configs={"toc": {"slugify": slug}})
    text = subprocess.run(["mandoc", "-Thtml", "-O", "fragment", ROOT / path], check=True, text=True, stdout=subprocess.PIPE).stdout
    text = re.sub(r"<(/?)h1\b", r"<\1h2", text)
    return f"<h1>{title_of(path)}</h1>\n" + re.sub(r"<b>([\w-]+)</b>\(([13])\)", r'<a href="\1.\2"><b>\1</b>(\2)</a>', text)


def relative(target, page):
    """The link from a page's address to another path of the site."""
    return "../" * (len(page.parts) - 1) + target.as_posix()


def links(here, pages):
    """The column of links of a page; the groups are open that it is in, and the first."""
    text = ""
    for name, members in pages.items():
        is_open = " open" if here in members or name == GROUPS[0][0] else ""
        text += f"<details{is_open}><summary>{name}</summary><ul>\n"
        for path in members:
            current = ' aria-current="page"' if path == here else ""
            text += f'<li><a href="{relative(address(path), here)}"{current}>{html.escape(title_of(path))}</a></li>\n'
        text += "</ul></details>\n"
    return text


class Site:
    """The pages, the files that they need beside them, and the links to what is not there."""

    def __init__(self):
        self.pages = {name: [found for pattern in patterns for found in self.match(pattern)] for name, patterns in GROUPS}
        self.all = [path for members in self.pages.values() for path in members]
        self.files, self.faults = set(), []
        self.faults += [f"{path}: is in no group of links" for path in self.match("docs/*.md") if path not in self.all]

    @staticmethod
    def match(pattern):
        return [path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern))]

    def resolve(self, page, link):
        """A link of a page's source -> the same in the site."""
        target, hash_, anchor = link.partition("#")
        if re.match(r"\w+:", link) or not target:
            return link
        path = (ROOT / page).parent.joinpath(target).resolve()
        if page.suffix in MANUALS and path.relative_to(ROOT) not in self.all:  # another project's
            return None
        if not path.exists() or ROOT not in path.parents:
            self.faults.append(f"{page}: {link} is not there")
            return link
        path = path.relative_to(ROOT)
        if (ROOT / path).is_dir():  # its first page
            path = next((member for member in self.all if path in member.parents), path)
        if path not in self.all and (ROOT / path).is_file():
            self.files.add(path)
        return relative(address(path), page) + hash_ + anchor

    def make_page(self, page):
        def link(match):
            target = self.resolve(page, html.unescape(match[2]))
            return f'{match[1]}="{html.escape(target)}"' if target else ""

        body = re.sub(r'\b(href|src)="([^"]*)"', link, body_of(page))
        return PAGE.format(title=html.escape(f"{title_of(page)} - tandem"), style=STYLE, links=links(page, self.pages), body=body)

    def make(self, directory):
        for page in self.all:
            output = directory / address(page)
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(self.make_page(page), encoding="utf-8")
        for path in self.files:
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, directory / path)


def main(directory):
    site = Site()
    site.make(pathlib.Path(directory))
    for fault in site.faults:
        print(f"site.py: {fault}", file=sys.stderr)
    print(f"{len(site.all)} pages: {pathlib.Path(directory) / 'index.html'}")
    return 1 if site.faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
