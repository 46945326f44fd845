# SPDX-License-Identifier: GPL-3.0-or-later
"""Spends CPU time in functions of known shares, and says how much in each: lines "name ns"."""
import ctypes
import os
import threading
import time
import zlib

spent = {}


def spin(name, ms):
    begin = time.thread_time_ns()
    n = 0
    while time.thread_time_ns() < begin + ms * 1_000_000:
        for i in range(3000):
            n += i
    spent[name] = spent.get(name, 0) + time.thread_time_ns() - begin


def compress(ms):
    begin = time.thread_time_ns()
    data = os.urandom(1 << 20)
    while time.thread_time_ns() < begin + ms * 1_000_000:
        zlib.compress(data, 6)
    spent["compress"] = time.thread_time_ns() - begin


def deep(n, ms):
    return deep(n - 1, ms) if n else spin("deep", ms)


class Order:
    def __call__(self, x):
        n = 0
        for i in range(1000):
            n += i
        return -x


def sort(ms):
    """The interpreter's own C between two functions of Python's."""
    begin = time.thread_time_ns()
    while time.thread_time_ns() < begin + ms * 1_000_000:
        sorted(range(100), key=Order())
    spent["sort"] = time.thread_time_ns() - begin


def called_back(a, b):
    n = 0
    for i in range(1000):
        n += i
    return a[0] - b[0]


def order(ms):
    """Another library's C between two functions of Python's."""
    begin = time.thread_time_ns()
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(called_back)
    while time.thread_time_ns() < begin + ms * 1_000_000:
        ctypes.CDLL(None).qsort((ctypes.c_int * 50)(*range(50)), 50, 4, kind)
    spent["order"] = time.thread_time_ns() - begin


def generate(ms):
    begin = time.thread_time_ns()
    while time.thread_time_ns() < begin + ms * 1_000_000:
        n = 0
        for i in range(10000):
            n += i
        yield n
    spent["generate"] = time.thread_time_ns() - begin


def main():
    spin("spin", 400)
    compress(300)
    sort(200)
    order(200)
    deep(6, 200)
    sum(generate(200))
    thread = threading.Thread(target=spin, args=("thread", 200))
    thread.start()
    thread.join()
    for name, ns in spent.items():
        print(name, ns)


main()
