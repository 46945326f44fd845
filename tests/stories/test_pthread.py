# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads of POSIX, C11 and C++: calls of known number, those that waited and all; answers, errno and cancellation are
the program's own affair, which it checks."""
import collections
import re

import streams

CALL, FUNCTION, CODE = 61000000, 60000020, 23
(EXIT, CREATE, JOIN, DETACH, WRITE_LOCK, READ_LOCK, RW_UNLOCK, LOCK, UNLOCK, SIGNAL, BROADCAST, COND_WAIT,
 BARRIER) = range(1, 14)
SEM_WAIT, SEM_POST = 20, 21
THREADS, C11, FREE = 4, 2, 500  # as in pthread_known.c
MADE = {CREATE: THREADS + 2 + C11, JOIN: THREADS + 1 + C11, DETACH: 1, EXIT: 1, COND_WAIT: THREADS, BARRIER: THREADS + 1}
# Those that found their lock taken; the last one is its owner's own.
WAITED = {**MADE, LOCK: THREADS + C11 + 1, READ_LOCK: THREADS, SEM_WAIT: THREADS}


def record(run, tandem, tmp_path, program, which, *options):
    words = ["--keep", "--force", "--pthread", which, *options, "-o", "t.prv", "--", program]
    out = run(tandem, "record", *words, check=True)
    run(tandem, "check", "t.prv", check=True)
    records = [r for ring in streams.rings(tmp_path / "t.tandem") for r in streams.read_stream(ring)]
    calls = collections.Counter(r.aux for r in records if r.kind == streams.ENTER and r.id == CALL)
    left = sum(r.kind == streams.LEAVE and r.id == CALL for r in records)
    unended = calls[EXIT] + (calls[SEM_WAIT] > THREADS)  # a thread is cancelled in its sem_wait
    assert left == sum(calls.values()) - unended
    functions = sum(r.kind == CODE and r.id == FUNCTION for r in records)
    return out.stdout, out.stderr, calls, functions


def test_posix_and_c11(run, tandem, compile_program, tmp_path):
    program = compile_program("pthread_known")
    answer = run(program, check=True).stdout
    said, about, calls, functions = record(run, tandem, tmp_path, program, "waits")
    assert said == answer and calls == WAITED and functions == THREADS + 2 + C11
    assert "left open" not in about
    labels = (tmp_path / "t.pcf").read_text()
    assert all(f" {name}\n" in labels for name in ("work", "be_cancelled", "leave", "work_c11_part"))

    # Two or three rows of the workers' are taken by later threads, and named after none.
    names = re.findall(r"^THREAD 1\.1\.\d+(?: \((.*)\))?$", (tmp_path / "t.row").read_text(), re.M)
    assert len(names) == 1 + THREADS and set(names) & {f"worker {i}" for i in range(THREADS)}

    said, about, calls, functions = record(run, tandem, tmp_path, program, "all")
    assert said == answer and functions == THREADS + 2 + C11
    locks = 1 + THREADS * (FREE + 2) + 2 + C11 + 1 + 2 + 2  # the first one before main
    assert {call: n for call, n in calls.items() if call in MADE} == MADE
    assert calls[LOCK] == locks and calls[UNLOCK] == locks  # one locks in vain, one unlocks in vain
    assert (calls[READ_LOCK], calls[WRITE_LOCK], calls[RW_UNLOCK]) == (THREADS, 1, THREADS + 1)
    assert (calls[SEM_WAIT], calls[SEM_POST], calls[BROADCAST]) == (THREADS + 1, THREADS + 1, 1)

    said, about, calls, functions = record(run, tandem, tmp_path, program, "none")
    assert said == answer and not calls and not functions


def test_calls_are_chosen_by_name(run, tandem, compile_program, tmp_path):
    """Left out or alone asked for; the program's answers and the threads' functions are as ever."""
    program = compile_program("pthread_known")
    answer = run(program, check=True).stdout
    said, _, calls, functions = record(run, tandem, tmp_path, program, "waits", "--pthread-exclude", "pthread_mutex_*,sem_*,bogus")
    left_out = {LOCK, SEM_WAIT, SEM_POST}
    assert said == answer and functions == THREADS + 2 + C11
    assert calls == {call: n for call, n in WAITED.items() if call not in left_out}
    assert "#tandem:note=pthread-exclude: no function is called 'bogus'" in (tmp_path / "t.prv").read_text().splitlines()

    words = ["--pthread-functions", "pthread_barrier_wait,pthread_join", "--pthread-exclude", "*_join"]
    said, _, calls, functions = record(run, tandem, tmp_path, program, "all", *words)
    assert said == answer and functions == THREADS + 2 + C11 and calls == {BARRIER: MADE[BARRIER]}
    assert "no function is called" not in (tmp_path / "t.prv").read_text()


NAMES = """
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
static pthread_barrier_t named;
static void *be_named(void *data) { pthread_barrier_wait(&named); return data; }
static void *live_on(void *data) { be_named(data); while (1) pause(); }
static void *take_name(void *name) { prctl(PR_SET_NAME, name); return live_on(NULL); }
static void *take_names(void *name) { prctl(PR_SET_NAME, "other"); prctl(PR_SET_NAME, name); return be_named(NULL); }
int main(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&named, NULL, 5);
    pthread_create(&threads[0], NULL, be_named, NULL);
    pthread_create(&threads[1], NULL, live_on, NULL);
    pthread_create(&threads[2], NULL, take_name, "a\\tb\\303\\251\\377");
    pthread_create(&threads[3], NULL, take_names, "ended");
    pthread_setname_np(threads[0], "by another");
    pthread_setname_np(threads[1], "lives, \\"on\\"");
    pthread_barrier_wait(&named);
    pthread_join(threads[0], NULL);
    pthread_join(threads[3], NULL);
    return 0;
}
"""


def test_names(run, tandem, compile_program, tmp_path):
    """Given by whom and how ever, and of threads that live as long as the process."""
    program = compile_program(NAMES, name="names")
    run(tandem, "record", "-o", "t.prv", "--", program, check=True)
    names = re.findall(r"^THREAD 1\.1\.\d+ \((.*)\)$", (tmp_path / "t.row").read_text(), re.M)
    assert sorted(names) == ["a?b\u00e9\ufffd", "by another", "ended", 'lives, "on"']
    table = run(tandem, "histogram", "t.prv", "--view", "state", "--csv", "-", check=True).stdout
    assert re.search(r'^"THREAD 1\.1\.[2-5] \(lives, ""on""\)",', table, re.M)


CPLUSPLUS = """
#include <condition_variable>
#include <future>
#include <thread>
#include <vector>
int main()
{
    std::mutex mutex;
    std::condition_variable ready;
    bool is_ready = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] { std::unique_lock lock(mutex); ready.wait(lock, [&] { return is_ready; }); });
    {
        std::lock_guard lock(mutex);
        is_ready = true;
    }
    ready.notify_all();
    for (auto &thread : threads)
        thread.join();
    return std::async(std::launch::async, [] { return 0; }).get();
}
"""


def test_cplusplus(run, tandem, compile_program, tmp_path):
    source = tmp_path / "threads.cc"
    source.write_text(CPLUSPLUS)
    program = compile_program(source)
    _, _, calls, functions = record(run, tandem, tmp_path, program, "waits")
    assert (calls[CREATE], calls[JOIN], functions) == (4, 4, 4)


def test_openmp_waits_by_itself(run, tandem, compile_program, tmp_path):
    """What an OpenMP library does to its threads is part of its constructs."""
    source = "#include <unistd.h>\nint main(void) {\n#pragma omp parallel num_threads(3)\nusleep(1000);\nreturn 0; }\n"
    for compiler in "gcc", "clang":
        program = compile_program(source, compiler=compiler, flags=("-fopenmp",), name=f"of_{compiler}")
        _, _, calls, functions = record(run, tandem, tmp_path, program, "all")
        assert not calls and not functions


def test_odd(run, tandem, compile_program, tmp_path):
    program = compile_program("pthread_odd", flags=["-fopenmp"])
    answer = run(program, check=True).stdout
    for which, period in ("waits", "0"), ("all", "1ms"):
        env = {"TANDEM_PTHREAD": which, "SAMPLING_PERIOD": period}
        out = run(tandem, "record", "--keep", "--force", "-o", "t.prv", "--", program, env=env, check=True)
        run(tandem, "check", "t.prv", check=True)
        assert out.stdout == answer
        images = [streams.rings(directory) for directory in sorted((tmp_path / "t.tandem").iterdir())]
        seen = [collections.Counter((r.kind, r.id) for ring in rings for r in streams.read_stream(ring)) for rings in images]
        assert [image[streams.THREAD, 0] for image in seen if image] == [1, 1, 1]
