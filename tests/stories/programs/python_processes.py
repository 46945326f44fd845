# SPDX-License-Identifier: GPL-3.0-or-later
"""python_processes.py HOW METHOD: work in other processes, each of which counts its own calls in a file of its own, as one
that is terminated cannot tell otherwise.  HOW: process, pool, with, executor, terminate, nested; METHOD: fork, spawn,
forkserver."""
import concurrent.futures
import multiprocessing
import os
import sys
import time

WORKERS, ITEMS, CALLS = 2, 12, 5


def note(name):
    """One more call of work() in this process, written at once."""
    with open(f"counted.{os.getpid()}", "a") as file:
        file.write(f"{name}\n")


def inner(n):
    return n * n


def work(n):
    note("work")
    time.sleep(0.005)  # that each worker gets some
    return sum([inner(i) for i in range(CALLS)]) + n


def wait_to_be_ended(ready):
    note("wait_to_be_ended")
    for i in range(CALLS):
        inner(i)
    ready.set()
    time.sleep(60)


def nest(n):
    note("nest")
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        return sum(pool.map(work, range(n)))


def process(context):
    running = [context.Process(target=work, args=(n,)) for n in range(WORKERS)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    return [one.exitcode for one in running]


def pool(context):
    pool = context.Pool(WORKERS)
    results = pool.map(work, range(ITEMS), chunksize=1)
    pool.close()
    pool.join()
    return results


def with_pool(context):
    with context.Pool(WORKERS) as pool:
        return pool.map(work, range(ITEMS), chunksize=1)


def executor(context):
    with concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=context) as workers:
        return list(workers.map(work, range(ITEMS)))


def terminate(context):
    ready = [context.Event() for _ in range(WORKERS)]
    running = [context.Process(target=wait_to_be_ended, args=(event,)) for event in ready]
    for one in running:
        one.start()
    for event in ready:
        event.wait()
    running[0].terminate()
    running[1].kill()
    for one in running:
        one.join()
    return [one.exitcode for one in running]


def nested(context):
    with concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=context) as workers:
        return list(workers.map(nest, [3, 3]))


HOW = {"process": process, "pool": pool, "with": with_pool, "executor": executor, "terminate": terminate, "nested": nested}

if __name__ == "__main__":
    print(HOW[sys.argv[1]](multiprocessing.get_context(sys.argv[2])), flush=True)
    sys.exit(3)
