# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the tree hold, and each rule can fail: every one is shown a bad tree and a good one."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rules

APACHE = "/* SPDX-License-Identifier: Apache-2.0\n *\n * A file that says what it is.\n"
INSIDE = APACHE + " * Context: any.\n */\n"
TOOL = INSIDE.replace("Apache-2.0", "GPL-3.0-or-later")
LONG = "word " * 30

# rule: (a tree it accepts, trees it must complain about once each)
EXAMPLES = {
    "includes": (
        {
            "runtime/a.c": '#include "formats/b.h"\n#include <stdio.h>\n/* #include "viewer/c.h" */\n',
            "cli/d.c": '#include "run/setting.h"\n#include <glib.h>\n',
            "viewer/window.c": "#include <gtk/gtk.h>\n",
            "cli/mpi/g.c": '#include <mpi.h>\n#include "cli/d.h"\n',
            "intercept/mpi/e.c": '#include <mpi.h>\n#include "sampler/f.h"\n',
            "tests/unit/test_a.c": '#include "viewer/c.h"\n#include <mpi.h>\n',
        },
        [
            {"formats/a.c": '#include "runtime/b.h"\n'},
            {"run/a.c": '#include "runtime/b.h"\n'},
            {"runtime/a.c": '#include "sampler/b.h"\n'},
            {"sampler/a.c": '#include "run/b.h"\n'},
            {"runtime/a.c": '#include "targets/linux/b.h"\n'},
            {"sampler/a.c": '# include "intercept/b.h"\n'},
            {"analysis/a.c": '#include "runtime/b.h"\n'},
            {"analysis/reports/a.c": '#include "analysis/merge/merge.h"\n'},
            {"analysis/merge/read/a.c": '#include "analysis/merge/write/b.h"\n'},
            {"analysis/merge/match/a.c": '#include "analysis/merge/merge.h"\n'},
            {"cli/a.c": '#include "runtime/emit.h"\n'},
            {"cli/a.c": '#include "viewer/b.h"\n'},
            {"cli/a.c": '#include "cli.h"\n'},
            {"viewer/paint/a.c": "#include <gtk/gtk.h>\n"},
            {"viewer/paint/a.c": '#include "viewer/session.h"\n'},
            {"analysis/a.c": "#include <gtk/gtk.h>\n"},
            {"analysis/a.c": "#include <cairo.h>\n"},
            {"sampler/a.c": "#include <mpi.h>\n"},
            {"runtime/a.h": "#include <Python.h>\n"},
            {"intercept/openmp/a.c": "#include <libunwind.h>\n"},
            {"intercept/pthread/a.c": '#include "intercept/python/b.h"\n'},
            {"intercept/heap/a.c": '#include "intercept/mpi/b.h"\n'},
            {"runtime/a.c": "#include <papi.h>\n"},
            {"cli/a.c": "#include <bfd.h>\n"},
            {"cli/a.c": "#include <mpi.h>\n"},
            {"runtime/a.c": "#include <glib.h>\n"},
        ],
    ),
    "getenv": (
        {"runtime/config.c": "getenv(a);\n", "cli/a.c": "getenv(a);\n", "sampler/b.c": "/* no getenv here */\n"},
        [{"runtime/a.c": "x = getenv(y);\n"}, {"sampler/config.c": "x = secure_getenv(y);\n"}],
    ),
    "context": (
        {"runtime/a.h": INSIDE, "analysis/b.h": "/* none needed */\n"},
        [{"runtime/a.h": APACHE + " */\n"}, {"targets/linux/a.h": "/* a */\n/*\n * Context: too late.\n */\n"}],
    ),
    "licence": (
        {"runtime/a.c": INSIDE, "cli/b.c": TOOL, "tests/c.py": "#!/usr/bin/python3\n# SPDX-License-Identifier: Apache-2.0\n"},
        [{"runtime/a.c": TOOL}, {"viewer/a.c": INSIDE}, {"demo/a.c": "int main;\n"}, {"tests/a.py": ""}],
    ),
    "first_comment": (
        {"runtime/a.c": INSIDE, "tests/b.py": '# x\n"""What it is."""\n'},
        [{"runtime/a.c": "/* SPDX-License-Identifier: Apache-2.0 */\n"}, {"tests/a.py": "import os\n"}],
    ),
    "length": ({"cli/a.c": "x\n" * 600}, [{"cli/a.c": "x\n" * 601}]),
    "functions": (
        {"cli/a.c": "int a(void)\n{\n" + "x;\n" * 59 + "}\nint b(void)\n{\n}\n" + "y;\n" * 90},
        [{"cli/a.c": "int a(void)\n{\n" + "x;\n" * 60 + "}\n"}],
    ),
    "words": (
        {"a.md": "see &#38; [1]\n", "cli/a.c": "#define A 1\n"},
        [{"cli/a.c": "/* iss" + "ue 4 */\n"}, {"a.md": "see #" + "12\n"}],
    ),
    "paths": (
        {
            "a.md": "see disk1/a, ./a/b, ../c/d, ~/e/f, $HOME/g/h, <i>/j/k, https://x.org/l/m, `/usr/bin/env`, and/or/not, 1 / 2 / 3\n",
            "cli/a.c": 'open("/proc/self/maps"); open("/dev/shm/x"); /* a/b/c */\n',
            "b.sh": '"$cache"/tree/boot "${x}/y/z"\n',
            "tests/unit/test_a_b.c": 'g_test_add_func("/" "a-b/c", c);\n'.replace('" "', ""),
        },
        [
            {"a.md": "in /" + "disk1/main\n"},
            {"b.py": "'/" + "data2/x'\n"},
            {"cli/a.c": '/* see (/' + 'home/somebody/x) */\n'},
            {"c.sh": "cd /" + "Users/x\n"},
            {"dev": "A=/" + "scratch/a.b/c\n"},
            {"d.md": "`/" + "mnt/x`: there\n"},
            {"tests/unit/test_a.c": 'open("/' + 'b/c");\n'},
            {"tests/e.f90": "open(file='/" + "srv/x')\n"},
        ],
    ),
    "stems": ({"cli/a.c": "", "cli/a.h": "", "cli/b.c": ""}, [{"cli/a.c": "", "viewer/a.h": ""}]),
    "names": (
        {"cli/a.h": "int tnd_a_run(int);\nTndA *tnd_a_new(void);\ntypedef int (*F)(int);\n"},
        [{"cli/a.h": "int tnd_b_run(int);\n"}, {"cli/a.h": "static inline int go(int a)\n"}, {"runtime/tandem.h": "int tnd_on(void);\n"}],
    ),
    "links": (
        {"docs/a.md": "[b](../b.md) [c](b/) [d](https://x.org) [e](#f) [g](../b.md#h)\n", "b.md": "", "docs/b/c.md": ""},
        [{"docs/a.md": "see [b](b.md).\n", "b.md": ""}],
    ),
    "markdown": (
        {
            "a.md": "ä " * 50 + f"\n| {LONG}|\n* {'a' * 120}\n```\n{LONG}\n```\n",
            "LICENSES/b.md": LONG,
        },
        [
            {"docs/a.md": f"* {LONG}\n"},
            {"a.md": f"```\n```\n\n  {LONG}\n"},
            {"a.md": "a" * 99 + " b\n"},
        ],
    ),
    "listed": (
        {"tests/unit/test_a.c": "", "tests/unit/meson.build": "'a': []", "demo/test_x.c": ""},
        [{"tests/unit/test_a.c": "", "tests/unit/meson.build": "'ab'"}, {"tests/ui/test_b.py": ""}],
    ),
}


def tree_of(directory, files):
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return rules.Tree(directory)


@pytest.mark.parametrize("rule", rules.RULES)
def test_clone_obeys(rule, root):
    complaints = rules.RULES[rule](rules.Tree(root))
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("rule", rules.RULES)
def test_rule_can_fail(rule, tmp_path):
    good, bad = EXAMPLES[rule]
    assert rules.RULES[rule](tree_of(tmp_path / "good", good)) == []
    for number, files in enumerate(bad):
        complaints = rules.RULES[rule](tree_of(tmp_path / str(number), files))
        assert len(complaints) == 1, (files, complaints)


def test_clone_is_seen(root):
    """The rules above look at something: the folders of the table are there and have files."""
    tree = rules.Tree(root)
    for folder in rules.MAY_USE:
        assert any(name.startswith(folder + "/") and name.endswith((".c", ".h", ".py")) for name in tree.names), folder


def libc_names():
    return set(rules.exported_names("/lib/" + sys.implementation._multiarch + "/libc.so.6"))


def test_library_exports_only_its_own(libtandem):
    names = rules.exported_names(libtandem)
    assert any(name.startswith("tandem_") for name in names)
    complaints = rules.check_exports(names, libc_names())
    assert not complaints, "\n".join(complaints)


def test_export_rule_can_fail():
    good = ["tandem_event", "MPI_Send", "mpi_send_", "fork", "pthread_create"]
    assert rules.check_exports(good, libc_names()) == []
    assert len(rules.check_exports(["merge_now", "PMPI_Send", "tandemly", "mpi_send", "MPI_SEND"], libc_names())) == 5


def test_architecture_shows_the_table(root):
    assert rules.may_use_table() in (root / "docs" / "ARCHITECTURE.md").read_text()
