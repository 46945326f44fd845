# SPDX-License-Identifier: GPL-3.0-or-later
"""What `meson install` leaves works where it stands: also under a DESTDIR, also through LD_PRELOAD and tandem.pc."""
import json
import pathlib
import platform
import re
import runpy
import shlex
import subprocess
import sys
import types

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


def compile_with(installed, package, source, program):
    """Compiles with what the package's .pc says."""
    prefix, libdir = installed
    destination = str(prefix).removesuffix("/usr/local")
    words = subprocess.run(
        ["pkg-config", "--cflags", "--libs", package],
        env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(libdir / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": destination},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    compiler = "g++" if str(source).endswith(".cc") else "gcc"
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source), *shlex.split(words)]
    subprocess.run([*command, f"-Wl,-rpath,{libdir}"], check=True)
    return program


@pytest.fixture(scope="module")
def program(installed, tmp_path_factory):
    """A program compiled with what tandem.pc says."""
    directory = tmp_path_factory.mktemp("program")
    (directory / "app.c").write_text(PROGRAM)
    return compile_with(installed, "tandem", directory / "app.c", directory / "app")


def test_everything_is_there(installed):
    prefix, libdir = installed
    for name in ("bin/tandem", "bin/tview", "include/tandem.h", "include/tandem_analysis.h", "share/man/man1/tandem.1",
                 "share/man/man3/tandem.3", "share/man/man3/tandem_analysis.3", "share/tandem/views/ipc.view"):
        assert (prefix / name).is_file(), name
    for name in ("libtandem-analysis.so", "pkgconfig/tandem-analysis.pc", "libtandem.so", "libtandem-mpich.so", "libtandem-heap.so", "libtandem-mpich-heap.so", "libtandem-audit.so", "pkgconfig/tandem.pc"):
        assert (libdir / name).is_file(), name


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has such a mark")
def test_a_program_keeps_its_shadow_stack(installed):
    """glibc turns it off for a program if one of its libraries does not say that it keeps to it."""
    libraries = [path for path in installed[1].rglob("libtandem*.so*") if not path.is_symlink()]
    said = {path.name: subprocess.run(["readelf", "-nW", path], check=True, capture_output=True, text=True).stdout for path in libraries}
    assert len(said) >= 7 and not [name for name, notes in said.items() if "SHSTK" not in notes]


CMAKE = """cmake_minimum_required(VERSION 3.13)
project(app C)
find_package(tandem 0.1 REQUIRED)
add_executable(app app.c)
target_link_libraries(app tandem::tandem)
add_executable(example "{example}")
target_link_libraries(example tandem::analysis)
"""


@pytest.mark.parametrize("version, found", [("", True), ("0.1", True), ("0.1.0 EXACT", True), ("0.0.9 EXACT", False), ("99", False)])
def test_cmake_is_told_the_version(installed, run, tmp_path, version, found):
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.13)\nproject(a C)\nfind_package(tandem {version} REQUIRED)\n")
    result = run("cmake", "-S", ".", "-B", "made", f"-DCMAKE_PREFIX_PATH={installed[0]}")
    assert (result.returncode == 0) == found, result.stderr


OF_TESTS = ["cmake", "g++", "gfortran", "clang", "tidy", "dot", "man", "groff", "zsh", "fish", "perf", "otf2-config", "appstreamcli"]


def test_a_build_needs_nothing_that_is_for_tests(root, run, tmp_path):
    """`./dev demo` installs what a build needs, so that configuring must not ask for more."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for directory in ("/usr/bin", "/bin", "/usr/sbin"):
        for program in pathlib.Path(directory).iterdir():
            link = programs / program.name
            if not any(program.name.startswith(name) for name in OF_TESTS) and not link.is_symlink():
                link.symlink_to(program)
    result = run("meson", "setup", tmp_path / "made", root, env={"PATH": programs})
    assert result.returncode == 0, result.stdout[-2000:]


def test_cmake_finds_it(installed, root, run, tmp_path):
    """The prefix is not where it was configured to be."""
    (tmp_path / "app.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE.format(example=root / "docs" / "examples" / "analysis_example.c"))
    run("cmake", "-S", ".", "-B", "made", f"-DCMAKE_PREFIX_PATH={installed[0]}", check=True)
    run("cmake", "--build", "made", check=True)
    assert run(tmp_path / "made" / "app").stdout == "recording 0\n"
    assert "libtandem-analysis" in run("ldd", tmp_path / "made" / "example", check=True).stdout


def test_desktop_knows_it(installed, run):
    share = installed[0] / "share"
    run("appstreamcli", "validate", "--no-net", share / "metainfo" / "org.tandem.tview.metainfo.xml", check=True)
    run("desktop-file-validate", share / "applications" / "org.tandem.tview.desktop", check=True)


COMPLETIONS = {
    "tandem st": {"stat"},
    "tandem histogram --vi": {"--view", "--view-file"},
    "tandem histogram --view ipc": {"ipc"},
    "tandem record --pthread wa": {"waits"},
    "tandem stat app": {"app.prv"},
    "tview --pal": {"--palette"},
    "tview --palette mu": {"muted"},
    "tview app": {"app.prv"},
}


def completed_by_bash(run, share, line):
    *before, word = line.split(" ")
    words = " ".join(f"'{each}'" for each in [*before, word])
    script = f"source {share}/bash-completion/completions/{before[0]}; COMP_WORDS=({words}); COMP_CWORD={len(before)}; _{before[0]}; " \
             'printf "%s\\n" "${COMPREPLY[@]}"'
    return run("bash", "-c", script, check=True).stdout.split()


def completed_by_fish(run, share, line):
    script = f"source {share}/fish/vendor_completions.d/{line.split()[0]}.fish; complete -C '{line}'"
    return [each.split("\t")[0] for each in run("fish", "--no-config", "-c", script, check=True).stdout.splitlines()]


@pytest.mark.parametrize("complete", [completed_by_bash, completed_by_fish])
@pytest.mark.parametrize("line", COMPLETIONS)
def test_shells_complete(installed, run, tmp_path, complete, line):
    (tmp_path / "app.prv").touch()
    assert set(complete(run, installed[0] / "share", line)) == COMPLETIONS[line]


def test_zsh_reads_the_completions(installed, run):
    """It can be asked in a terminal only: that all of it is well formed, and has every command, must do."""
    functions = installed[0] / "share" / "zsh" / "site-functions"
    for name in ("_tandem", "_tview"):
        run("zsh", "-fn", functions / name, check=True)
    script = f"autoload -U compinit; compinit -D; fpath=({functions} $fpath); autoload -U _tandem; autoload +X _tandem; functions _tandem"
    said = run("zsh", "-fc", script, check=True).stdout
    assert "--sampling-clock=" in said and "(histogram)" in said


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


def test_python_opens_traces(installed, root, run):
    """With the library of the same installation, and its views that are files."""
    prefix, libdir = installed
    place = next(prefix.glob("lib/python3*/*/tandem/trace.py")).parent.parent
    trace = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    program = """import sys, tandem.trace
with tandem.trace.open(sys.argv[1]) as trace:
    print(tandem.trace._library._name, trace.view("mpi-calls").histogram().frame()["MPI_Init"].sum(), "cpu-use" in trace.views())
"""
    told = run("/usr/bin/python3", "-c", program, trace, env={"PYTHONPATH": place, "TANDEM_BUILD": None}, check=True).stdout
    library, time_ns, has_file = told.split()
    assert library == f"{libdir}/libtandem-analysis.so.0"
    table = run(prefix / "bin" / "tandem", "histogram", trace, "--view", "mpi-calls", "--csv", "-", check=True).stdout.splitlines()
    column = table[0].split(",").index("MPI_Init [ns]")
    assert (float(time_ns), has_file) == (sum(float(line.split(",")[column]) for line in table[1:5]), "True")


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


def test_example_of_the_analysis_library(installed, root, run, tmp_path):
    """A histogram without a window, in at most 60 lines: the numbers of `tandem histogram`."""
    source = root / "docs" / "examples" / "analysis_example.c"
    assert len(source.read_text().splitlines()) <= 60
    example = compile_with(installed, "tandem-analysis", source, tmp_path / "example")
    trace = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    lines = run(example, trace, "mpi-calls", "time-percent", check=True).stdout.splitlines()
    command = [installed[0] / "bin" / "tandem", "histogram", trace, "--view", "mpi-calls", "--statistic", "time-percent"]
    table = [line.split(",") for line in run(*command, "--csv", "-", check=True).stdout.splitlines()[:5]]
    assert lines[0] == ", ".join(name.removesuffix(" [%]") for name in table[0][1:]) + " [%]"
    shown = [[f"{float(cell or 0):.2f}" for cell in row[1:]] for row in table[1:]]
    assert [line[16:].split() for line in lines[1:5]] == shown and lines[5].startswith("longest: MPI_")
    bad = run(example, tmp_path / "none.prv", "state", "time")
    assert (bad.returncode, bad.stderr) == (1, f"{tmp_path}/none.prv: No such file or directory\n")
    assert "no view is called" in run(example, trace, "nothing", "time").stderr
    assert "no statistic is called" in run(example, trace, "state", "nothing").stderr


LIBRARY_USER = r"""
#include <stdlib.h>
#include <string.h>
#include <tandem_analysis.h>

int main(int argc, char **argv)
{
    char *error = NULL;
    tandem_trace *trace = tandem_trace_open(argv[argc - 1], &error);
    tandem_view *view = tandem_view_open(trace, "state", &error), *calls = tandem_view_open(trace, "mpi-calls", NULL);
    tandem_place place = {};
    tandem_histogram_options options = {};
    for (size_t i = 0; tandem_view_name(i); i++)
        printf("%s %d %d\n", tandem_view_name(i), tandem_view_is_available(trace, tandem_view_name(i)), !!*tandem_view_help(i));
    tandem_burst burst;
    uint64_t sum = 0;
    for (size_t row = 0; row < tandem_trace_n_rows(trace); row++)
        for (uint64_t t = 0; tandem_view_burst(view, row, t, &burst); t = burst.end_ns)
            sum += burst.end_ns - burst.begin_ns;
    printf("sum %d\n", sum == tandem_trace_n_rows(trace) * tandem_trace_duration_ns(trace));
    int is_there = tandem_trace_row_place(trace, 2, &place);
    printf("place %d %u.%u.%u\n", is_there, place.application, place.task, place.thread);
    printf("none %d %d %d\n", tandem_trace_row_place(trace, 4, &place), !tandem_trace_row_name(trace, 4),
           tandem_view_burst(view, 4, 0, &burst));
    options.statistic = "bursts";
    options.rows = "1.2";
    options.within = calls;
    options.end_ns = 90000000;
    tandem_view_find(calls, "MPI_Sendrecv", &options.within_value);
    tandem_histogram *table = tandem_histogram_new(view, &options, &error);
    double total = tandem_histogram_total(table, TANDEM_TOTAL_SUM, 0), cell = 0;
    is_there = tandem_histogram_cell(table, 0, 0, &cell);
    printf("rows %d total %g cell %d %g\n", (int)tandem_histogram_n_rows(table), total, is_there, cell - total);
    tandem_histogram_free(table);
    table = tandem_histogram_new(view, NULL, &error);
    tandem_histogram_write_csv(table, stdout);
    tandem_histogram_free(table);
    tandem_view *window = tandem_view_open(trace, argv[1], &error);
    if (!window)
        return 1;
    printf("window %d %s %d %d\n", (int)tandem_view_n_rows(window), tandem_view_row_name(window, 1),
           !tandem_view_row_name(window, 2), tandem_view_burst(window, 2, 0, &burst));
    tandem_view_close(window);
    tandem_view_close(calls);
    tandem_view_close(view);
    tandem_trace_close(trace);
}
"""


def test_analysis_library_in_another_language(installed, root, run, tmp_path):
    (tmp_path / "user.cc").write_text(LIBRARY_USER)
    user = compile_with(installed, "tandem-analysis", tmp_path / "user.cc", tmp_path / "user")
    trace = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    window = root / "tests" / "data" / "cfgs" / "useful_task.cfg"
    said = run(user, window, trace, check=True).stdout
    tandem = installed[0] / "bin" / "tandem"
    assert "state 1 1\n" in said and "temperature 0 1\n" in said
    assert "\nsum 1\nplace 1 1.2.1\nnone 0 1 0\nrows 2 total 9 cell 1 0\n" in said
    said, end = said.rsplit("window ", 1)
    assert end == "2 TASK 1.2 1 0\n"
    assert said.endswith(run(tandem, "histogram", trace, "--csv", "-", check=True).stdout)


class Spec:
    """What Spack's recipe asks of a spec: whether a package is in it, a variant on; where Python is."""

    def __init__(self, *words):
        self.words = words

    def __contains__(self, package):
        return package in self.words

    def __getitem__(self, package):
        return types.SimpleNamespace(command=types.SimpleNamespace(path=f"/usr/bin/{package}3"))

    def satisfies(self, variant):
        return variant in self.words


def spack_options(root, monkeypatch, *words):
    """What the recipe tells meson, without Spack."""
    package = types.ModuleType("spack.package")
    for directive in ("depends_on", "extends", "license", "variant", "version"):
        setattr(package, directive, lambda *_, **__: None)
    build_system = types.ModuleType("spack_repo.builtin.build_systems.meson")
    build_system.MesonPackage = object
    for name, module in (("spack", package), ("spack.package", package), ("spack_repo", package), ("spack_repo.builtin", package),
                         ("spack_repo.builtin.build_systems", package), (build_system.__name__, build_system)):
        monkeypatch.setitem(sys.modules, name, module)
    recipe = runpy.run_path(str(root / "packaging" / "spack" / "spack_repo" / "tandem" / "packages" / "tandem" / "package.py"))
    assert recipe["CLONE"] == root
    tandem = recipe["Tandem"]()
    tandem.spec = Spec(*words)
    return dict(word.removeprefix("-D").split("=") for word in tandem.meson_args())


def test_recipes_say_options_that_there_are(root, monkeypatch):
    known = set(re.findall(r"^option\('(\w+)'", (root / "meson_options.txt").read_text(), re.M))
    easybuild = re.findall(r"-D(\w+)=", (root / "packaging" / "tandem-0.1.0-gompi-2023b.eb").read_text())
    assert set(easybuild) == {"mpich", "openmpi", "python"} <= known
    options = spack_options(root, monkeypatch, "openmpi", "+otf2", "+yajl")
    features = {name for name in known if re.search(rf"^option\('{name}', type: 'feature'", (root / "meson_options.txt").read_text(), re.M)}
    assert set(options) == features | {"python"} <= known
    assert {name for name in features if options[name] == "disabled"} == {"mpich", "dwarf"} and options["python"] == "/usr/bin/python3"
    options = spack_options(root, monkeypatch, "mvapich", "+otf2", "+dwarf", "+yajl")
    assert {name for name in features if options[name] == "disabled"} == {"openmpi"}
