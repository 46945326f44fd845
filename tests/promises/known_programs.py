# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of which it is known what they print, on both streams, and how they end: tests/promises records them all.

What is known here is known without running them, but for the words of tools, of which `says` has a part: so a tool that is
missing, or that says something else than it is here for, is seen, and not compared with itself.
"""
import dataclasses
import hashlib
import signal

PYTHON = "/usr/bin/python3"


@dataclasses.dataclass
class Known:
    command: str  # of bash
    stdout: str = ""
    status: int = 0  # as subprocess has it: -N of a signal
    stderr: str = ""  # a part of what is said; "": nothing is
    stdin: str = ""
    tools: tuple = ()


def md5_of_numbers(n):
    return hashlib.md5("".join(f"{i + 1}\n" for i in range(n)).encode()).hexdigest() + "  -\n"


def python(program, **known):
    return Known(f"exec {PYTHON} -c '{program}'", tools=(PYTHON,), **known)


SOON = "use Time::HiRes \"alarm\"; "  # in less than a second


def perl(program, **known):
    return Known(f"exec perl -e '{program}'", tools=("perl",), **known)


TOOLS = {
    "pipeline": Known("seq 100000 | gzip -c | gunzip | md5sum; echo ${PIPESTATUS[@]}", md5_of_numbers(100000) + "0 0 0 0\n",
                      tools=("seq", "gzip", "gunzip", "md5sum")),
    "sort with threads": Known("seq 100000 | tac | sort -n --parallel=4 | md5sum", md5_of_numbers(100000),
                               tools=("tac", "sort")),
    "awk": Known("seq 20000 | awk '{ sum += $1 } END { printf \"%d\\n\", sum; exit sum % 7 }'", f"{10000 * 20001}\n",
                 10000 * 20001 % 7, tools=("awk",)),
    "standard input": Known("read first; echo $((first * 2)); sort -n", "14\n1\n3\n", stdin="7\n3\n1\n", tools=("sort",)),
    "grep finds nothing": Known("seq 10 | grep -c 77", "0\n", 1, tools=("grep",)),
    "diff finds something": Known("diff <(seq 5) <(seq 6)", "5a6\n> 6\n", 1, tools=("diff",)),
    "xargs": Known("seq 20 | xargs -n 1 -P 4 sh -c 'exit $0'; echo $?", "123\n", tools=("xargs",)),
    "find and tar": Known("mkdir d; touch d/b d/a; find d -type f | sort | tar -c -T - | tar -t", "d/a\nd/b\n",
                          tools=("find", "tar")),
    "sqlite": Known("sqlite3 :memory: 'create table t(a); insert into t values (1), (2); select sum(a) from t'", "3\n",
                    tools=("sqlite3",)),
    "sqlite complains": Known("sqlite3 :memory: 'select nothing'", "", 1, "syntax error", tools=("sqlite3",)),
    "compiler": Known("echo 'int puts(const char *); int main(void) { puts(\"made\"); return 4; }' | gcc -x c - -o made && ./made",
                      "made\n", 4, tools=("gcc",)),
    "compiler complains": Known("echo 'int main(void) { return missing; }' | gcc -x c - -o made", "", 1, "undeclared",
                                tools=("gcc",)),
    "OpenMP": Known("OMP_WAIT_POLICY=passive primecount 1e10 -t4", "455052511\n", tools=("primecount",)),
    "timeout": Known("timeout 0.3 sleep 10", "", 124, tools=("timeout", "sleep")),
    "name in ps": Known("ps -o comm= -p $$; :", "bash\n", tools=("ps",)),
}
SHELL = {
    "children": Known("for i in $(seq 50); do (exit $i) & done; wait; echo done; exit 7", "done\n", 7),
    "killed": Known("kill -KILL $$", status=-signal.SIGKILL),
    "terminated child": Known("sh -c 'kill $$'; echo $?", "143\n", stderr="Terminated\n"),
    "trap": Known("trap 'echo trapped; exit 9' TERM; kill -TERM $$; echo no", "trapped\n", 9),
    "profile signal": Known("kill -PROF $$", status=-signal.SIGPROF),
    "CPU limit": Known("ulimit -S -t 1; while :; do :; done", status=-signal.SIGXCPU),
    "pipe that closes": Known("yes | head -n 2; echo ${PIPESTATUS[@]}", "y\ny\n141 0\n", tools=("yes", "head")),
    "standard error": Known("ls /nonexistent; echo out", "out\n", 0, "cannot access '/nonexistent'", tools=("ls",)),
    "standard error closed": Known("ls /nonexistent 2>&-; echo $?", "2\n", tools=("ls",)),
    "standard output closed": Known("/usr/bin/printf x >&-", "", 1, "Bad file descriptor", tools=("/usr/bin/printf",)),
    "full disk": Known("seq 10 >/dev/full", "", 1, "No space left on device", tools=("seq",)),
    "few descriptors": Known("ulimit -n 8; sh -c 'echo fine'", "fine\n"),
    "little memory": Known("ulimit -v 300000; sh -c 'echo fine'", "fine\n"),
    "replaced": Known("exec -a other sh -c 'echo $0'", "other\n"),
    "replaced in vain": Known("exec /nonexistent/program", "", 127, "/nonexistent/program"),
    "replaced again and again": Known("exec sh -c 'exec env A=1 sh -c \"exec sh -c \\\"echo \\$A; exit 5\\\"\"'", "1\n", 5),
    "empty environment": Known("env -i /bin/echo alone", "alone\n", tools=("env",)),
    "quiet": Known("echo into nowhere | head -c 0", tools=("head",)),
    "directory that goes": Known("mkdir x; cd x; rmdir ../x; echo fine", "fine\n"),
    "nothing found": Known("no-such-program", "", 127, "no-such-program: command not found"),
}
INTERPRETED = {
    "threads": python("import threading as t; a = t.Thread(target=print, args=(1,)); a.start(); a.join()", stdout="1\n"),
    "processes": python("import multiprocessing as m; p = m.Pool(3); print(sum(p.map(abs, range(-9, 9))))", stdout="81\n"),
    "sums": python("print(sum(i * i for i in range(1000000)))", stdout=f"{sum(i * i for i in range(1000000))}\n"),
    "exception": python("print(1, flush=True); 1 / 0", stdout="1\n", status=1, stderr="ZeroDivisionError"),
    "SystemExit": python("import sys; sys.exit(\"said at the end\")", status=1, stderr="said at the end"),
    "abort": python("import os; os.abort()", status=-signal.SIGABRT),
    "fault": python("import ctypes; ctypes.string_at(8)", status=-signal.SIGSEGV),
    "fork": python("import os; p = os.fork(); p or os._exit(3); print(os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]))",
                   stdout="3\n"),
    "standard input of python": python("import sys; print(sorted(map(int, sys.stdin)))", stdin="3\n1\n2\n", stdout="[1, 2, 3]\n"),
    "own profiling timer": python("""
import signal
ticks = []
signal.signal(signal.SIGPROF, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_PROF, 0.004, 0.004)
while len(ticks) < 20: sum(range(1000))
print(signal.setitimer(signal.ITIMER_PROF, 0)[1], len(ticks))""", stdout="0.004 20\n"),
    "own real timer": python("""
import signal, time
ticks = []
signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
while len(ticks) < 20: signal.pause()
signal.setitimer(signal.ITIMER_REAL, 0)
begun = time.monotonic()
time.sleep(0.2)
print(len(ticks), time.monotonic() - begun >= 0.2)""", stdout="20 True\n"),
    "own signals": python("""
import os, signal
seen = []
for number in range(1, 65):
    if number not in (9, 19, 32, 33):
        before = signal.signal(number, lambda number, _: seen.append(number))
        if before not in (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler): print(number, before)
for number in range(1, 65):
    if number not in (9, 19, 32, 33): os.kill(os.getpid(), number)
print(len(seen), seen == sorted(seen))""", stdout="60 True\n"),
    "alarm": perl(SOON + "$SIG{ALRM} = sub { print \"rang\\n\"; exit 3 }; alarm 0.2; 1 while 1", stdout="rang\n", status=3),
    "default alarm": perl(SOON + "alarm 0.2; 1 while 1", status=-signal.SIGALRM),
    "interrupted call": perl(SOON + "$SIG{ALRM} = sub {}; alarm 0.5; $n = select undef, undef, undef, 9; print $n, \" \", $!{EINTR} ? 1 : 0, \"\\n\"",
                             stdout="-1 1\n"),
    "mask": perl("use POSIX; $m = POSIX::SigSet->new; sigprocmask(SIG_BLOCK, undef, $m); "
                 "print join(\" \", grep { $m->ismember($_) } 1 .. 31), \"none\\n\"", stdout="none\n"),
}
PROGRAMS = TOOLS | SHELL | INTERPRETED
