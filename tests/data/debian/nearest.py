# SPDX-License-Identifier: GPL-3.0-or-later
"""Two threads of Python ask for nearest neighbours at once: pykdtree is compiled code on NumPy's arrays, with a parallel
region of OpenMP for every question."""
import concurrent.futures

import numpy
from pykdtree.kdtree import KDTree

N = 2000
points = (numpy.arange(3 * N, dtype=numpy.float64) * 0.6180339887 % 1).reshape(N, 3)
tree = KDTree(points, leafsize=10)


def ask(turn):
    distances, found = tree.query(points + turn / 1000, k=4)
    return f"{turn} {float(distances.sum()):.12f} {int(found.sum())}"


with concurrent.futures.ThreadPoolExecutor(2) as threads:
    for answer in threads.map(ask, range(10)):
        print(answer)
