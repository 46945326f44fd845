# SPDX-License-Identifier: GPL-3.0-or-later
"""What is executed decides which environment it gets: programs that cannot be recorded, that need a library before ours, that
are given an environment of their own.  Each runs as it does without tandem; what can join the run does."""
import pathlib
import platform
import re
import shutil

import pytest

HELLO = '#include <stdio.h>\nint main(void) { void *volatile p = __builtin_malloc(9999); __builtin_free(p); puts("hello"); return 3; }\n'
# Without the development files for 32 bits, which exclude those for other processors.
HELLO_32 = """
int puts(const char *); void exit(int);
void _start(void) { __asm__("andl $-16, %esp"); puts("hello"); exit(3); }
"""


@pytest.fixture(scope="module")
def hello(compile_program):
    """hello(kind) -> a program of that kind that says hello and ends with 3."""

    def compile_hello(kind):
        if kind == "bits":
            if platform.machine() != "x86_64" or not pathlib.Path("/lib/ld-linux.so.2").exists():
                pytest.skip("no C library of 32 bits")
            flags = ["-m32", "-fno-pic", "-no-pie", "-nostdlib"]
            library = str(pathlib.Path("/lib/ld-linux.so.2").resolve().parent / "libc.so.6")
            path = compile_program(HELLO_32, name="hello_bits", flags=flags, libraries=[library])
        elif kind == "libc":
            path = compile_program(HELLO, name="hello_libc", compiler="musl-gcc")
        else:
            flags = {"static": ["-static"], "static-pie": ["-static-pie"], "asan": ["-fsanitize=address"], "tsan": ["-fsanitize=thread"],
                     "lsan": ["-fsanitize=leak"], "static-asan": ["-fsanitize=address", "-static-libasan"],
                     "clang-asan": ["-fsanitize=address"], "plain": []}[kind]
            compiler = "clang" if kind.startswith("clang") else None
            path = compile_program(HELLO, name=f"hello_{kind}", flags=flags, compiler=compiler)
        return path

    return compile_hello


def processes(directory):
    """Names of the programs that a trace has processes of."""
    (row,) = directory.glob("*.row")
    return {name for name in row.read_text().split("LEVEL TASK")[1].split("LEVEL")[0].splitlines()[1:] if name}


FOREIGN = {"static": "linked statically", "static-pie": "linked statically", "libc": "musl", "bits": "32 bits"}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("how", ["alone", "script", "piped", "spawned"])
def test_programs_that_cannot_be_recorded(run, tandem, hello, tmp_path, kind, how):
    """No loader has a word to say, and it is told why they are missing."""
    program = hello(kind)
    script = tmp_path / "script"
    script.write_text(f"#!{program}\n")
    script.chmod(0o755)
    spawn = f"import os, sys; sys.exit(os.waitstatus_to_exitcode(os.waitpid(os.posix_spawn('{program}', ['x'], os.environ), 0)[1]))"
    command = {"alone": [program], "script": [script], "piped": ["bash", "-c", f"{program} | cat; exit ${{PIPESTATUS[0]}}"],
               "spawned": ["/usr/bin/python3", "-c", spawn]}[how]
    result = run(tandem, "record", "-o", "out", "--", *command)
    assert (result.returncode, result.stdout) == (3, "hello\n")
    lines = result.stderr.splitlines()
    assert all(line.startswith("tandem: ") for line in lines), result.stderr
    assert [line for line in lines if program.name in line and FOREIGN[kind] in line], result.stderr
    if how in ("alone", "script"):
        assert len(lines) == 1 and lines[0].startswith(f"tandem: record: nothing was recorded: {program.name} is ")
        assert not list(tmp_path.glob("out*"))
        return
    note = f"not recorded: {program.name}: "
    assert note in run(tandem, "stat", "out.prv", check=True).stdout
    run(tandem, "report", "--output", "out.html", "out.prv", check=True)
    assert note in (tmp_path / "out.html").read_text()


@pytest.mark.parametrize("kind", ["asan", "tsan", "lsan", "static-asan", "clang-asan"])
@pytest.mark.parametrize("heap", ["none", "sites"])
def test_sanitizers(run, tandem, hello, tmp_path, kind, heap):
    """Their run time is loaded before us, for the program that links it alone; nothing of ours leaks."""
    program, plain = hello(kind), hello("plain")
    shell = f"{program}; echo $?; {plain}; {program} | cat; grep -c -E 'lib(asan|tsan|lsan)' /proc/self/maps; :"
    record = [tandem, "record", "-o", "out", f"--heap={heap}", "--sensors=process", "--"]
    result = run(*record, "bash", "-c", shell)
    assert (result.returncode, result.stdout) == (0, "hello\n3\nhello\nhello\n0\n"), result.stderr
    without_heap = f"tandem: not recorded: {program.name}: its heap, because .*\n" if heap != "none" else ""
    assert re.fullmatch(without_heap + r"tandem: \S*out.prv: .*\n", result.stderr), result.stderr
    assert {program.name, plain.name, "bash", "cat", "grep"} <= processes(tmp_path)
    alone = run(*record[:4], "-f", *record[4:], program)
    assert (alone.returncode, alone.stdout) == (3, "hello\n") and processes(tmp_path) == {program.name}, alone.stderr


THREADS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *unused)
{
    volatile long sum = 0;
    for (int i = 0; i < 3000000; i++)
        sum += i;
    return malloc(sum ? 9 : 10);
}
int main(void)
{
    pthread_t threads[3];
    void *block;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], &block);
        free(block);
    }
    return puts("done") < 0;
}
"""


@pytest.mark.parametrize("kind", ["address", "thread", "leak", "undefined"])
def test_sanitizers_with_threads(run, tandem, compile_program, tmp_path, kind):
    """Threads that a sanitizer makes for itself are none of its program's; all that can be recorded at once."""
    program = compile_program(THREADS, name=f"threads_{kind}", flags=[f"-fsanitize={kind}"])
    period = "0" if kind == "thread" else "1ms"  # it takes handlers that follow each other on one stack for a race
    ways = [f"--sampling-period={period}", "--stack", "--pthread=all", "--sensors=process", "--heap=sites"]
    result = run(tandem, "record", *ways, "-o", "out", "--", program)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
    assert all(line.startswith("tandem: ") for line in result.stderr.splitlines()), result.stderr
    assert ": 1 process, 4 threads, " in result.stderr, result.stderr
    run(tandem, "check", "out.prv", check=True)


SIGNAL_STACK = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { GUARD = 65536, STACK = 8192 };
static unsigned char *memory;
static void on_signal(int number)
{
    char *argv[] = {"seq", "2", 0}, *envp[] = {"A=1", 0};
    execvpe("no-such-program", argv, envp);
    execve("/nonexistent", argv, envp);
    int used = STACK;
    while (used > 0 && memory[GUARD + STACK - used] == 0xa5)
        used--;
    dprintf(1, "%d\\n", used);
    execve("/usr/bin/seq", argv, envp);
}
int main(void)
{
    memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(memory, 0xa5, GUARD + STACK);
    stack_t stack = {.ss_sp = memory + GUARD, .ss_size = STACK};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    return raise(SIGUSR1);
}
"""


def test_on_a_signal_stack(run, tandem, compile_program):
    """A handler that executes another program has its small stack for itself, but for a kilobyte."""
    program = compile_program(SIGNAL_STACK, name="signal_stack")
    plain, traced = (run(*words, program, check=True).stdout.split() for words in ([], [tandem, "record", "-o", "out", "--"]))
    assert plain[1:] == traced[1:] == ["1", "2"]
    assert int(traced[0]) < int(plain[0]) + 1500


def test_sanitizer_program_has_children(run, tandem, compile_program, hello, tmp_path):
    """They see what their parent was given, not what it needed."""
    source = '#include <stdlib.h>\n#include <unistd.h>\nint main(int n, char **v) { system(v[1]); execvp(v[1], v + 1); }\n'
    program = compile_program(source, name="parent_asan", flags=["-fsanitize=address"])
    result = run(tandem, "record", "-o", "out", "--", program, "env", check=True)
    preloads = [line for line in result.stdout.splitlines() if line.startswith(("LD_PRELOAD", "TANDEM_H", "TANDEM_LD"))]
    assert len(preloads) == 2 and not [line for line in preloads if "asan" in line or not line.startswith("LD_PRELOAD=/")]
    assert processes(tmp_path) == {"sh", "env"}  # what the parent became


OWN = {
    "posix_spawn": "os.waitpid(os.posix_spawn(sys.argv[1], sys.argv[1:], given), 0)",
    "posix_spawnp": "os.waitpid(os.posix_spawnp('env', sys.argv[1:], given), 0)",
    "vfork": "subprocess.run(sys.argv[1:], env=given)",
    "execve": "os.execve(sys.argv[1], sys.argv[1:], given)",
    "execvpe": "os.execvpe('env', sys.argv[1:], given)",
    "fexecve": "os.execve(os.open(sys.argv[1], os.O_RDONLY), sys.argv[1:], given)",
    "unset": "del os.environ['LD_PRELOAD'], os.environ['TANDEM_RUN']; os.execv(sys.argv[1], sys.argv[1:])",
}


@pytest.mark.parametrize("given", [{}, {"A": "1", "PATH": "/usr/bin:/bin"}, {"LD_PRELOAD": "libm.so.6", "B": "2"}])
@pytest.mark.parametrize("how", OWN)
def test_environment_of_its_own(run, tandem, tmp_path, how, given):
    """A program that is given one joins the run, with its settings, and sees what it was given."""
    program = f"import os, subprocess, sys; given = {given!r}; {OWN[how]}"
    command = ["/usr/bin/python3", "-c", program, "/usr/bin/env"]
    plain = run(*command, env={"LD_PRELOAD": "", "TANDEM_RUN": ""}, check=True)
    result = run(tandem, "record", "--sampling-period=7ms", "--keep", "-o", "out", "--", *command, check=True)
    ours = lambda text: sorted(line for line in text.splitlines() if not line.startswith("TANDEM_SAMPLING_PERIOD="))
    if how == "unset":
        assert not re.search("^(LD_PRELOAD|TANDEM_RUN|TANDEM_HIDDEN)=", result.stdout, re.M)
    else:
        assert (ours(result.stdout), result.stdout) == (ours(plain.stdout), plain.stdout)
    assert len(list((tmp_path / "out.tandem").glob("*.*.*"))) == 2 and "sampling period 7 ms" in result.stderr, result.stderr


@pytest.mark.parametrize("shell", ["dash", "bash", "perl"])
def test_children_of_one_with_an_environment_of_its_own(run, tandem, tmp_path, shell):
    """The run goes on below it; who asks not to be recorded is not."""
    if shell == "perl":
        script = 'system("/usr/bin/env", "A=1"); system("/usr/bin/seq", "2"); $ENV{TANDEM_RUN} = "none"; system("/bin/true", "x");'
        command = ["env", "-i", "/usr/bin/perl", "-e", script]
    else:
        command = ["env", "-i", f"/bin/{shell}", "-c", "/usr/bin/env; /usr/bin/seq 2; TANDEM_RUN=none /bin/true; :"]
    result = run(tandem, "record", "-o", "out", "--", *command, check=True)
    assert result.stdout == run(*command, check=True).stdout
    assert processes(tmp_path) == {"env", shell, "seq"}


@pytest.mark.parametrize("is_cleared", [False, True])
def test_shells_of_libc(run, tandem, compile_program, tmp_path, is_cleared):
    """They join the run; if the program took from its environment what they need for that, it is said that they are missing."""
    source = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    char text[9] = "";
    if (argc > 1) {
        unsetenv("LD_PRELOAD");
        unsetenv("TANDEM_RUN");
    }
    FILE *from = popen("seq 7 7", "r");
    fgets(text, sizeof text, from);
    printf("%s", text);
    return !system(NULL) + pclose(from) + (system("exit 3") >> 8);
}
"""
    program = compile_program(source, name="shells")
    result = run(tandem, "record", "-o", "out", "--", program, *["x"] * is_cleared)
    assert (result.returncode, result.stdout) == (3, "7\n")
    assert ("not recorded: shells: what it started by system() or popen()" in result.stderr) == is_cleared, result.stderr
    assert processes(tmp_path) == ({"shells"} if is_cleared else {"shells", "sh", "seq"})


@pytest.mark.parametrize("kind", ["static", "static-pie"])
def test_children_of_a_static_program(run, tandem, compile_program, tmp_path, kind):
    """They are recorded, and it is said that the program was not."""
    program = compile_program("#include <stdlib.h>\nint main(void) { return system(\"seq 2\"); }\n", flags=["-" + kind], name="parent")
    result = run(tandem, "record", "-o", tmp_path / "out.prv", "--", program)
    assert (result.returncode, result.stdout) == (0, "1\n2\n")
    assert "not recorded: parent: linked statically" in result.stderr and ": 2 processes" in result.stderr


def test_a_program_that_lacks_a_library(run, tandem, compile_program, tmp_path):
    """It is not taken for one that cannot be recorded."""
    library = compile_program("int gone(void) { return 1; }\n", name="libgone.so", flags=["-shared", "-fPIC"])
    program = compile_program("int gone(void);\nint main(void) { return gone(); }\n", name="lacking", libraries=[str(library)])
    library.unlink()
    result = run(tandem, "record", "-o", "out", "--", program)
    assert result.returncode == 127 and "libgone.so" in result.stderr
    assert result.stderr.endswith("nothing was recorded: lacking ended before any library was loaded (is one of its own missing?)\n")


def test_lists_of_libraries(run, tandem):
    """What ldd prints does not have ours in it."""
    libraries = lambda result: [line.split()[0] for line in result.stdout.splitlines()]
    assert libraries(run(tandem, "record", "ldd", "/bin/ls", check=True)) == libraries(run("ldd", "/bin/ls", check=True)) != []


def test_a_library_that_is_gone(run, tandem, libtandem, tmp_path):
    """As in another root: the loader does not complain of it."""
    library = tmp_path / "libtandem.so"
    shutil.copy(libtandem, library)
    script = f"rm {library}; seq 2; env -i /usr/bin/seq 1"
    result = run("bash", "-c", script, preload=library, env={"TANDEM_MERGE": "0", "TANDEM_OUTPUT": "out"}, check=True)
    assert (result.stdout, result.stderr) == ("1\n2\n1\n", "")
    run(tandem, "merge", "--quiet", "out.tandem", check=True)
    assert re.search("not recorded: env, seq: .*another root", run(tandem, "stat", "out.prv", check=True).stdout)


def test_no_room_for_records(run, tandem, hello, namespaces, tmp_path):
    """The reason is not taken for one of the program's."""
    script = f"""mkdir small && mount -t tmpfs -o size=8k small small && cd small
        {tandem} record {hello("plain")}; echo $?"""
    result = run("unshare", "-r", "-m", "bash", "-c", script, check=True)
    assert result.stdout == "hello\n3\n"
    assert re.search("No space left.*; not recording\ntandem: record: nothing was recorded: no record could be written", result.stderr), result.stderr


def test_a_large_environment(run, tandem, tmp_path):
    """More variables than there is room for on a stack: the program runs, and it is said that it is missing."""
    program = "import os, sys; os.execve('/usr/bin/env', ['env'], {f'V{i}': 'x' for i in range(4000)})"
    result = run(tandem, "record", "-o", "out", "--", "/usr/bin/python3", "-c", program, check=True)
    assert result.stdout.count("\n") == 4000
    assert "too many variables" in result.stderr


TOOL = """
#include <mpi.h>
#include <stdio.h>
static int n;
int MPI_Send(const void *b, int c, MPI_Datatype d, int to, int tag, MPI_Comm m) { n++; return PMPI_Send(b, c, d, to, tag, m); }
int MPI_Finalize(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool: rank %d sent %d\\n", rank, n);
    return PMPI_Finalize();
}
"""
SENDS = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        rank ? MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE) : MPI_Send(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("where", ["before the command", "before the program", "linked"])
@pytest.mark.parametrize("mpi", ["", ".mpich"])
def test_another_tool_of_mpi(run, tandem, compile_program, tmp_path, where, mpi):
    """It sees the calls that it sees without us, and so do we."""
    compiler = f"mpicc{mpi or '.openmpi'}"
    tool = compile_program(TOOL, name="libtool.so", mpi=True, compiler=compiler, flags=["-shared", "-fPIC"])
    linked = {"flags": [f"-Wl,-rpath,{tool.parent}"], "libraries": [str(tool)]} if where == "linked" else {}
    program = compile_program(SENDS, name="sends", mpi=True, compiler=compiler, **linked)
    launcher = ["mpirun.mpich", "-n", "2"] if mpi else ["mpirun.openmpi", "--oversubscribe", "-n", "2"]
    words = [*launcher, *(["env", f"LD_PRELOAD={tool}"] if where == "before the program" else []), program]
    result = run(tandem, "record", "-o", "out", "--", *words, check=True, env={"LD_PRELOAD": tool} if "command" in where else {})
    assert sorted(result.stdout.splitlines()) == ["tool: rank 0 sent 5", "tool: rank 1 sent 0"], result.stderr
    assert sum(line.startswith("3:") for line in (tmp_path / "out.prv").read_text().splitlines()) == 5, result.stderr


@pytest.mark.parametrize("where", ["before the command", "in the program"])
def test_an_allocator_is_behind_us(run, tandem, compile_program, tmp_path, where):
    """Its blocks are counted, wherever it is preloaded."""
    program = compile_program("#include <stdlib.h>\nint main(void) { for (int i = 0; i < 5000; i++) *(char *volatile *)malloc(9) = 0; }\n", name="blocks")
    allocator = "libjemalloc.so.2"
    words = ["env", f"LD_PRELOAD={allocator}", program] if where == "in the program" else [program]
    result = run(tandem, "record", "--heap=values", "-o", "out", "--", *words, env={} if len(words) > 1 else {"LD_PRELOAD": allocator})
    assert result.returncode == 0 and "cannot be preloaded" not in result.stderr, result.stderr
    told = run(tandem, "stat", "out.prv", check=True).stdout
    assert re.search(r" 5,0\d\d ", told.split("Heap")[1]), told
