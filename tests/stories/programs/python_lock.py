# SPDX-License-Identifier: GPL-3.0-or-later
"""Four threads that compute in Python, of which CPython lets one run at a time."""
import threading
import time


def work():
    end = time.thread_time() + 0.25
    n = 0
    while time.thread_time() < end:
        for i in range(2000):
            n += i


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
