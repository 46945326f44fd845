# SPDX-License-Identifier: Apache-2.0
# %%
"""A trace as pandas frames.  Each `# %%` begins a cell of a notebook (Jupyter with jupytext, VS Code, Spyder); as a
script: python3 trace_notebook.py app.prv
"""
import sys

import tandem.trace

path = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1].endswith((".prv", ".gz")) else "halo.prv"
trace = tandem.trace.open(path)
print(f"{path}: {len(trace.rows)} rows, {trace.duration_ns / 1e9:.3f} s, views: {', '.join(trace.views())}")

# %% [markdown]
# How the time of each row is shared by states, in %, and how well the computation is balanced.
# %%
share = trace.view("state").histogram("time-percent").frame()
print(share.round(2))
running = share["Running"]
print(f"load balance: {running.mean() / running.max():.4f}")

# %% [markdown]
# The MPI calls: how many, how long in all, and the longest.  A burst is a stretch of time with one value.
# %%
if "mpi-calls" in trace.views():
    calls = trace.view("mpi-calls").bursts().frame()
    calls["ms"] = (calls.end_ns - calls.begin_ns) / 1e6
    calls = calls[calls.value != 0]
    print(calls.groupby("label", observed=True).ms.agg(["count", "sum", "max"]).sort_values("sum", ascending=False).round(3))

# %% [markdown]
# Who sends how much to whom, in bytes.
# %%
messages = trace.messages().frame()
print(messages.pivot_table(index="sender", columns="receiver", values="size_bytes", aggfunc="sum", observed=True, fill_value=0))

# %% [markdown]
# The functions that took the most CPU time, and the lines that they were in.
# %%
if "sampled-functions" in trace.views():
    samples = trace.samples().frame()
    on_cpu = samples[samples.kind != "waiting"]
    places = on_cpu.groupby(["function", "line"], observed=True).weight_ns.sum().sort_values(ascending=False)
    print((places / 1e6).head(10).rename("CPU ms"))

# %% [markdown]
# Useful duration as a picture: `matplotlib.pyplot.imshow(grid, aspect="auto")`.
# %%
grid = trace.view("useful-duration").grid(500, mode="maximum")
print(f"grid: {grid.shape[0]} rows x {grid.shape[1]} columns, the longest computation {grid.max() / 1e6:.3f} ms")

# %%
trace.close()
