#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The first process of the emulated machine: what a machine needs for programs of MPI to run, then the script that the
# kernel's command line names, then off.
mount -t proc none /proc
mount -t sysfs none /sys
mount -t tmpfs none /tmp
mount -t tmpfs none /run
mkdir -p /dev/shm /dev/pts
mount -t tmpfs none /dev/shm
mount -t devpts none /dev/pts
chmod 1777 /tmp /dev/shm
busybox ip link set lo up
busybox hostname pmu
export PATH=/tandem/build/cli:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp LC_ALL=C.UTF-8
export TANDEM_BUILD=/tandem/build TANDEM_SOURCE=/tandem/source G_TEST_SRCDIR=/tandem/source/tests PYTHONDONTWRITEBYTECODE=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
cd /tmp
bash "/tandem/$script"
echo "status of the machine: $?"
busybox poweroff -f
