# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the tree: what may use what is data here, each rule a function from a tree to a list of complaints.

Not a linter of C: it reads lines, with comments blanked out where that matters.  test_rules.py applies the rules to the
clone, and to small bad trees that each rule must complain about.
"""
import ast
import re
import subprocess

# folder: (what is in it, folders it may include besides itself, libraries besides libc).
# The longest matching folder counts.  docs/ARCHITECTURE.md shows this table; a test compares them.
MAY_USE = {
    "formats": ("layouts on disk: records, streams, event types, traces; how values are written", [], []),
    "system": ("what the kernel tells in directories and small files; sensors", [], []),
    "run": ("the shared life of a run: its directory, who is in it, its job, its settings, its program's name, what other programs are given", ["system", "formats"], []),
    "runtime": ("streams, clock, configuration, life of a process", ["run", "formats"], []),
    "targets": ("the platform under the runtime", ["runtime", "run", "formats"], []),
    "targets/gr740": (
        "the GR740: RTEMS, drivers of the chip, wrappers that the linker puts in",
        ["intercept/heap", "sampler", "runtime", "formats"],
        [],
    ),
    "unwind": ("unwind tables, and steps up a stack by them", ["runtime", "formats"], []),
    "sampler": ("clocks of sampling, stacks, counters, sensors", ["unwind", "runtime", "system", "formats"], ["PAPI"]),
    "intercept": ("any other interceptor", ["intercept/base", "sampler", "runtime", "formats"], []),
    "intercept/base": ("whose function a name is, and the function behind a wrapper", ["runtime"], []),
    "intercept/mpi": (
        "wrappers of MPI's calls, in C and Fortran; bringing nodes together",
        ["intercept/base", "sampler", "runtime", "run", "system", "formats"],
        ["MPI"],
    ),
    "intercept/openmp": ("GNU's and LLVM's OpenMP", ["intercept/base", "runtime", "formats"], []),
    "intercept/pthread": ("wrappers of threads and locks, CPython's among them", ["sampler", "runtime", "formats"], []),
    "intercept/python": ("functions of Python", ["sampler", "runtime", "formats"], []),
    "intercept/library": ("functions of any library, by trampolines", ["sampler", "runtime", "run", "formats"], []),
    "intercept/heap": ("wrappers of the allocator", ["intercept/base", "sampler", "runtime", "formats"], []),
    "python": ("the `tandem` package for Python programs", [], ["Python"]),
    "analysis/base": ("memory, cores, columns of numbers, texts: what knows no trace", [], ["GLib", "zlib", "ISA-L", "liblzma", "OTF2"]),
    "analysis/trace": ("loaded traces: blocks of records, walks over them, levels", ["analysis/base", "run", "formats"], ["GLib"]),
    "analysis/bursts": ("rows of values over time: kept, walked through, drawn", ["analysis/base"], ["GLib"]),
    "analysis/cfg": ("Paraver's configurations, as their files say it", ["analysis/trace", "formats"], ["GLib"]),
    "analysis/views": (
        "from records to bursts: functions, windows, the views that there are",
        ["analysis/base", "analysis/trace", "analysis/bursts", "analysis/cfg", "analysis/causes", "formats"],
        ["GLib"],
    ),
    "analysis/histogram": (
        "tables of statistics of views",
        ["analysis/base", "analysis/trace", "analysis/bursts", "analysis/cfg", "analysis/views", "formats"],
        ["GLib"],
    ),
    "analysis/reports": (
        "what a trace says in text: statistics, samples, heap, sensors, tasks, places, repeated regions, the critical path, two sets of runs compared",
        ["analysis/base", "analysis/trace", "analysis/bursts", "analysis/causes", "analysis/views", "formats"],
        ["GLib"],
    ),
    "analysis/convert": (
        "traces in the formats of other tools: OTF2, pprof, Chrome, Perfetto, speedscope, CSV, stacks as text",
        ["analysis/base", "analysis/trace", "analysis/views", "analysis/reports", "formats"],
        ["GLib", "zlib", "OTF2"],
    ),
    "analysis/tables": (
        "records, bursts and samples as columns of numbers, for programs that compute with whole columns",
        ["analysis/base", "analysis/trace", "analysis/bursts", "analysis/views", "analysis/reports", "formats"],
        ["GLib"],
    ),
    "analysis/import": (
        "traces made of what other tools recorded: OTF2 archives, Chrome's JSON, text of perf",
        ["analysis/base", "analysis/output", "analysis/rewrite", "formats"],
        ["GLib", "OTF2", "yajl"],
    ),
    "analysis/output": ("the files of a trace that is being made", ["formats"], ["GLib", "zlib"]),
    "analysis/merge/base": (
        "what the passes of a merge share: the run as far as it is known, the team of ranks",
        ["analysis/base", "formats"],
        ["GLib"],
    ),
    "analysis/merge/read": (
        "what the streams of a run say of themselves: who, where, when, names",
        ["analysis/base", "analysis/merge/base", "formats"],
        ["GLib", "libbfd"],
    ),
    "analysis/merge/match": (
        "what belongs together: communicators, sends and receives, tasks that waited for each other",
        ["analysis/base", "analysis/merge/base", "analysis/merge/read", "formats"],
        ["GLib"],
    ),
    "analysis/merge/write": (
        "the lines of the trace, in the order of time",
        ["analysis/base", "analysis/output", "analysis/merge/base", "analysis/merge/read", "analysis/merge/match", "formats"],
        ["GLib"],
    ),
    "analysis/merge": (
        "the streams of a run made into a trace: the passes, one after another",
        ["analysis/output", "run", "formats"],
        ["GLib"],
    ),
    "analysis/rewrite": (
        "traces made of traces: cut, filter, shift, replay",
        ["analysis/base", "analysis/trace", "analysis/causes", "analysis/output", "analysis/views", "formats"],
        ["GLib"],
    ),
    "analysis/causes": (
        "who waits for whom: what synchronises threads, replay, wait states, efficiencies, phases",
        ["analysis/base", "analysis/trace", "formats"],
        ["GLib"],
    ),
    "analysis": ("what programs of others call: libtandem-analysis", ["analysis", "formats"], ["GLib"]),
    "cli/mpi": ("`tandem merge` over the ranks of an MPI job", ["cli", "analysis", "formats"], ["GLib", "MPI"]),
    "attach": (
        "looking at running processes from outside, with the kernel's events",
        ["unwind", "runtime", "run", "system", "formats"],
        ["GLib"],
    ),
    "cli": ("the `tandem` command", ["analysis", "attach", "run", "system", "formats"], ["GLib", "elfutils"]),
    "viewer/paint": ("drawing, without a window", ["analysis", "formats"], ["GLib", "cairo", "Pango"]),
    "viewer": ("the `tview` window", ["analysis", "formats"], ["GLib", "GTK", "cairo", "Pango"]),
}

INSIDE = ("formats", "system", "run", "runtime", "targets", "unwind", "sampler", "intercept", "python")  # loaded into other people's programs
TOOLS = ("analysis", "attach", "cli", "viewer")
APACHE, GPL = "Apache-2.0", "GPL-3.0-or-later"

LIBRARIES = {
    "GLib": r"glib|gio/|gobject|gmodule",
    "GTK": r"gtk/|gdk|atk/",
    "cairo": r"cairo",
    "Pango": r"pango",
    "MPI": r"mpi\.h|mpi-ext\.h",
    "Python": r"Python\.h",
    "libunwind": r"libunwind",
    "PAPI": r"papi",
    "libbfd": r"bfd\.h|demangle\.h|libiberty",
    "zlib": r"zlib\.h",
    "ISA-L": r"isa-l",
    "OTF2": r"otf2/",
    "yajl": r"yajl/",
    "elfutils": r"elfutils/|dwarf\.h|gelf\.h|libelf\.h",
    "liblzma": r"lzma\.h",
}

TEXTS = (".c", ".cc", ".h", ".inc", ".py", ".sh", ".md", ".build", ".txt", ".ui", ".1", ".3", ".tsv", ".yml", ".f90", ".F90", "dev", "run")
DATA = ("tests/data/", "LICENSES/")  # others' words, kept as they are
LINES_MAX = 600
FUNCTION_LINES_MAX = 60
MARKDOWN_COLUMNS_MAX = 100
PUBLIC = ("tandem", "tandem_board", "tandem_analysis")  # headers that are installed
ALSO_DECLARES = {
    "formats/pcf.h": "tnd_row_",  # two small files of one trace, one header
}
GETENV_FILE = "runtime/config.c"
LIBRARIES_APART = ["intercept/library/library_audit.c"]  # of another library, which has no configuration
# Written so that this file does not match itself.
FORBIDDEN = [r"\bissue[s]? *#? *\d", r"\b(see|fix|fixes|closes|bug|ticket) #\d"]
# Absolute paths are those that every machine has, or that are plainly made up ("tandem", "new": of the machine of tests/pmu).
EVERYWHERE = "bin boot dev etc lib lib64 opt proc run sbin sys tmp usr var"
MADE_UP = "home/u new nonexistent nothing nowhere one other path tandem two"
ABSOLUTE_PATH = re.compile(
    r"""(?<![\w.$}*)\]>/~%@-])(?<!:/)(?<!\w["'])/(?!(?:""" + "|".join((EVERYWHERE + " " + MADE_UP).split()) + r")/)([A-Za-z][\w.+-]*)/[\w.*{$]"
)
OWN_NAME = re.compile(r"(tnd|tandem)_")
INTERCEPTED = re.compile(r"(MPI_\w*[a-z]\w*|mpi_\w+_|(GOMP_|omp_|__kmpc_|ompt_)\w+)$")


class Tree:
    """A directory's files: what git knows or would take, or all of them where there is no git."""

    def __init__(self, root):
        self.root = root
        if (root / ".git").exists():
            command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
            self.names = sorted(n for n in names if n and (root / n).is_file())
        else:
            self.names = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def select(self, *endings, folders=None):
        return [
            name
            for name in self.names
            if name.endswith(endings) and (folders is None or name.split("/")[0] in folders)
            if not name.startswith(DATA)
        ]


def without_comments(text):
    """C text with comments and the insides of strings blanked; lines stay where they are.  Include lines are kept."""

    def blank(match):
        found = match[0]
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        return found if found.startswith("#") else '""'

    return re.sub(r'^[ \t]*#[ \t]*include[^\n]*|/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S | re.M)


def folder_of(name):
    parents = [name[:i] for i, letter in enumerate(name) if letter == "/"]
    return next((parent for parent in reversed(parents) if parent in MAY_USE), None)


def may_include(folder, header):
    allowed = [folder] + MAY_USE[folder][1]
    return any(header == name or header.startswith(name + "/") for name in allowed)


def check_includes(tree):
    """The may-use table: folders, and libraries by their headers."""
    complaints = []
    for name in tree.select(".c", ".h", ".inc"):
        folder = folder_of(name)
        if folder is None:
            if name.split("/")[0] in INSIDE + TOOLS:
                complaints.append(f"{name}: its folder is not in the table of what may include what")
            continue
        for number, line in enumerate(without_comments(tree.text(name)).splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if not include:
                continue
            kind, header = include.groups()
            where = f"{name}:{number}: {folder} may not include {header}"
            if kind == '"' and "/" not in header:
                complaints.append(f"{where}: write it from the root, folder/file.h")
            elif kind == '"' and not may_include(folder, header):
                complaints.append(where)
            library = next((lib for lib, pattern in LIBRARIES.items() if re.match(pattern, header)), None)
            if kind == "<" and library and library not in MAY_USE[folder][2]:
                complaints.append(f"{where} ({library})")
    return complaints


def check_getenv(tree):
    """Inside the program the environment is read in one place."""
    return [
        f"{name}:{number}: getenv belongs into {GETENV_FILE}"
        for name in tree.select(".c", ".h", folders=INSIDE)
        if name not in (GETENV_FILE, *LIBRARIES_APART)
        for number, line in enumerate(without_comments(tree.text(name)).splitlines(), 1)
        if re.search(r"\b(secure_)?getenv\b", line)
    ]


def first_comment(text):
    match = re.match(r"/\*(.*?)\*/", text, re.S)
    return match[1] if match else ""


def check_context(tree):
    """A header of what lives inside programs says from where its functions may be called."""
    return [
        f"{name}:1: no `Context:` line in the first comment"
        for name in tree.select(".h", folders=INSIDE)
        if not re.search(r"^ \* Context: \S", first_comment(tree.text(name)), re.M)
    ]


def check_licence(tree):
    """The first line (the second, after #!) names the licence of the folder."""
    complaints = []
    for name in tree.select(".c", ".h", ".inc", ".py", ".sh", ".S"):
        lines = [line for line in tree.text(name).splitlines()[:2] if not line.startswith("#!")]
        found = re.search(r"SPDX-License-Identifier: (\S+)", lines[0]) if lines else None
        folder = name.split("/")[0]
        wanted = [APACHE] if folder in INSIDE else [GPL] if folder in TOOLS else [APACHE, GPL]
        if not found or found[1] not in wanted:
            complaints.append(f"{name}:1: first line must be SPDX-License-Identifier: {' or '.join(wanted)}")
    return complaints


def check_first_comment(tree):
    """A file begins by saying what it is."""
    complaints = []
    for name in tree.select(".c", ".h"):
        words = re.sub(r"SPDX-License-Identifier: \S+|\*", " ", first_comment(tree.text(name))).split()
        if len(words) < 4:
            complaints.append(f"{name}:1: the first comment does not say what the file is")
    for name in tree.select(".py"):
        if not ast.get_docstring(ast.parse(tree.text(name))):
            complaints.append(f"{name}:1: no docstring says what the file is")
    return complaints


def check_length(tree):
    """Files of a few hundred lines."""
    complaints = []
    for name in tree.select(".c", ".h", ".inc", ".py", ".sh"):
        n_lines = tree.text(name).count("\n")
        if n_lines > LINES_MAX:
            complaints.append(f"{name}: {n_lines} lines; split it ({LINES_MAX} at most)")
    return complaints


def check_functions(tree):
    """A function fits a screen.  Bodies are what stands between a { and a } in the first column."""
    complaints = []
    for name in tree.select(".c", ".h"):
        begin = 0
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if line.startswith("{"):
                begin = number
            elif line.startswith("}") and begin:
                if number - begin > FUNCTION_LINES_MAX:
                    complaints.append(f"{name}:{begin}: a function of {number - begin} lines; {FUNCTION_LINES_MAX} at most")
                begin = 0
    return complaints


def check_words(tree):
    """The project speaks of itself alone: no numbers of tickets, no paths of anybody's machine."""
    complaints = []
    for name in tree.select(*TEXTS):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            for pattern in FORBIDDEN:
                found = re.search(pattern, line, re.IGNORECASE)
                if found and not re.match(r"\s*#\s*(define|if|include|pragma)\b", line):
                    complaints.append(f"{name}:{number}: {found[0]!r} means nothing to a reader")
    return complaints


def check_paths(tree):
    """No path of one machine.  What GLib's tests are called looks like one."""
    complaints = []
    for name in tree.select(*TEXTS):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            complaints += [
                f"{name}:{number}: {found[0]!r} is a path of one machine"
                for found in ABSOLUTE_PATH.finditer(line)
                if not re.search(r'\b(g_test_add\w*|path = g_strdup_printf)\("$', line[: found.start()])
            ]
    return complaints


def check_stems(tree):
    """A stem names one file (and its header) in the whole tree."""
    seen, complaints = {}, []
    for name in tree.select(".c", ".h", folders=INSIDE + TOOLS):
        folder, _, file = name.rpartition("/")
        stem = file.rsplit(".", 1)[0]
        if seen.setdefault(stem, folder) != folder:
            complaints.append(f"{name}: {seen[stem]} has a {stem} too")
    return complaints


def check_names(tree):
    """From a call one knows the file: what FILE.h declares is tnd_FILE_...; tandem.h declares tandem_..."""
    complaints = []
    for name in tree.select(".h", folders=INSIDE + TOOLS):
        stem = name.rpartition("/")[2].rsplit(".", 1)[0]
        prefix = "tandem_" if stem in PUBLIC else f"tnd_{stem}"
        also = ALSO_DECLARES.get(name, prefix)
        for number, line in enumerate(without_comments(tree.text(name)).splitlines(), 1):
            found = re.match(r"(?:[A-Za-z_][\w ]*[ *]+)(\w+)\(", line)
            if found and not line.startswith(("typedef", "return", "else", "#")):
                function = found[1]
                if function != prefix and not function.startswith((prefix.rstrip("_") + "_", also, "__")):
                    complaints.append(f"{name}:{number}: {function} does not begin with {prefix}")
    return complaints


def check_listed(tree):
    """A test that its meson.build does not name never runs."""
    complaints = []
    for name in tree.names:
        folder, _, file = name.rpartition("/")
        found = re.match(r"(?:test|fuzz|bench)_(\w+)\.(?:c|cc|py)$", file)
        if not found or not re.match(r"tests/\w+$", folder):
            continue
        listed = tree.text(f"{folder}/meson.build") if f"{folder}/meson.build" in tree.names else ""
        if f"'{found[1]}'" not in listed and f"'{file}'" not in listed:
            complaints.append(f"{name}: not in {folder}/meson.build")
    return complaints


def check_links(tree):
    """A document's links into the tree lead somewhere."""
    complaints = []
    for name in tree.select(".md"):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not (tree.root / name).parent.joinpath(target).exists():
                    complaints.append(f"{name}:{number}: nothing at {target}")
    return complaints


def check_markdown(tree):
    """Markdown is wrapped; tables, code blocks and lines that cannot be wrapped (a link, a path) may be longer."""
    complaints = []
    for name in tree.select(".md"):
        in_code = False
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            words = re.sub(r"^\s*([*+-]|\d+\.)\s", "", line).strip()
            if words.startswith("```"):
                in_code = not in_code
            elif len(line) > MARKDOWN_COLUMNS_MAX and " " in words and not in_code and not words.startswith("|"):
                complaints.append(f"{name}:{number}: {len(line)} columns; wrap it at {MARKDOWN_COLUMNS_MAX}")
    return complaints


RULES = {
    rule.__name__.removeprefix("check_"): rule
    for rule in (
        check_includes,
        check_getenv,
        check_context,
        check_licence,
        check_first_comment,
        check_length,
        check_functions,
        check_words,
        check_paths,
        check_stems,
        check_names,
        check_listed,
        check_links,
        check_markdown,
    )
}


def check_exports(names, of_libc):
    """Names that a library exports: ours, or those of functions that we stand in front of."""
    return [
        f"{name}: exported, but neither tandem_* nor the name of a function that libc, MPI or OpenMP has"
        for name in names
        if not OWN_NAME.match(name) and not INTERCEPTED.match(name) and name not in of_libc
    ]


def exported_names(library):
    """Defined dynamic symbols, without their versions."""
    command = ["nm", "-D", "--defined-only", "--format=posix", str(library)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted({line.split()[0].split("@")[0] for line in output.splitlines() if line.split()[1] != "A"})


def may_use_table():
    """The table as docs/ARCHITECTURE.md shows it."""
    lines = ["| folder | holds | may include | libraries |", "|---|---|---|---|"]
    for folder, (holds, folders, libraries) in MAY_USE.items():
        cells = [f"`{folder}/`", holds, ", ".join(f"`{name}`" for name in folders), ", ".join(libraries)]
        lines.append("| " + " | ".join(cell or "libc only" if i == 3 else cell or "–" for i, cell in enumerate(cells)) + " |")
    return "\n".join(lines)
