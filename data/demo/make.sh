#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# data/demo/make.sh: records the small trace that tview shows without one of the user's: demo/halo.c on 4 ranks.  Needs
# root, for a host name that is nobody's; tandem is found on the path.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
work=/opt/halo
mkdir $work # not with -p: it is removed at the end
trap 'rm -rf $work' EXIT
cp "$here/../../demo/halo.c" $work
cd $work
mpicc -O2 -g halo.c -o halo -lm
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
unshare --uts bash -c 'hostname node1; tandem record --force --sampling-period 5ms -o halo.prv -- mpirun --oversubscribe -n 4 ./halo 1200 60'
gzip -9nf halo.prv
cp halo.prv.gz halo.pcf halo.row "$here"
