#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `./dev demo [DIRECTORY]`: compiles halo.c like any MPI program, records it on 4 ranks, and shows the results: text in
# the terminal, pictures and a table in the directory (demo-out), and the window if there is a display.  Every command
# is printed before it runs; the same commands work with your own program.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
build=${TANDEM_BUILD:-$PWD/build}
export PATH="$build/cli:$build/viewer:$PATH"
out=${1:-demo-out}
trace=$out/halo.prv

show() {
    if [ -t 1 ]; then printf '\n\033[1m$ %s\033[0m\n' "$*"; else printf '\n$ %s\n' "$*"; fi
    "$@"
}

# Open MPI refuses to run as root (the usual user of a container), and to start more ranks than there are cores, unless
# these settings allow it.
if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
ranks=(mpirun --oversubscribe -n 4)

mkdir -p "$out"
show mpicc -O2 -g -o "$out/halo" demo/halo.c -lm
show tandem record --force --sampling-period 1ms -o "$trace" -- "${ranks[@]}" "$out/halo"
show tandem check "$trace"
show tandem stat "$trace"
# The pictures begin where the last rank has left MPI_Init, which may take longer than the solver.
begin=$(tandem timeline "$trace" --view mpi-calls --decimals 0 |
    awk -F, '$5 == "MPI_Init" && $2 + $3 > end { end = $2 + $3 } END { printf "%.0fns", end }')
show tview "$trace" --view useful-duration --begin "$begin" --no-messages --export "$out/useful-duration.png"
show tview "$trace" --view mpi-calls --begin "$begin" --no-messages --export "$out/mpi-calls.png"
show tandem histogram "$trace" --view mpi-calls --statistic time-percent --csv "$out/mpi-calls.csv"

cat <<END

Files in $out/:
  halo.prv halo.pcf halo.row   the trace; Paraver opens it, too
  useful-duration.png          how long each computation lasts, from the end of MPI_Init: dark short, light long, black outside
  mpi-calls.png                the MPI call that each rank is in
  mpi-calls.csv                the share of each rank's time in each MPI call

Next commands to try:
  ./dev run tview $trace
  ./dev run tandem histogram $trace --view sampled-functions --csv -
  ./dev run tandem record --sampling-period 1ms -- ./your-program
END

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -t 1 ]; then
    show tview "$trace"
fi
