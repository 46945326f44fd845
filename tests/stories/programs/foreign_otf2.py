# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes an OTF2 archive as other tools do, with OTF2's own Python module: foreign_otf2.py DIRECTORY

Two ranks on two nodes, a clock of 0.5 us, messages that do not block, OpenMP regions by their roles, a counter that is
accumulated, a metric of floating point, a sample."""
import sys

import otf2
from otf2.enums import CollectiveOp, LocationType, MetricMode, Paradigm, RegionRole, Type

with otf2.writer.open(sys.argv[1], timer_resolution=2000000) as trace:
    define = trace.definitions
    machine = define.system_tree_node("cluster", "machine")
    nodes = [define.system_tree_node(f"n{i}", "node", parent=machine) for i in (1, 2)]
    groups = [define.location_group(f"MPI Rank {i}", system_tree_parent=nodes[i]) for i in (0, 1)]
    masters = [define.location("Master thread", type=LocationType.CPU_THREAD, group=group) for group in groups]
    worker = define.location("OMP thread 1", type=LocationType.CPU_THREAD, group=groups[0])
    ranks = define.group("ranks", otf2.GroupType.COMM_LOCATIONS, Paradigm.MPI, members=masters)
    world = define.comm("MPI_COMM_WORLD", define.group("", otf2.GroupType.COMM_GROUP, Paradigm.MPI, members=[0, 1]))

    # A team of threads is a communicator, too, but none of MPI.
    define.group("threads", otf2.GroupType.COMM_LOCATIONS, Paradigm.OPENMP, members=[masters[0], worker])
    define.comm("team", define.group("", otf2.GroupType.COMM_GROUP, Paradigm.OPENMP, members=[0, 1]))

    def region(name, paradigm, role=RegionRole.FUNCTION):
        return define.region(name, name, "", role, paradigm)

    main = region("main", Paradigm.COMPILER)
    solve = region("solve(double*)", Paradigm.COMPILER)
    isend, irecv, waitall = (region(name, Paradigm.MPI) for name in ("MPI_Isend", "MPI_Irecv", "MPI_Waitall"))
    bcast = region("MPI_Bcast", Paradigm.MPI, RegionRole.COLL_ONE2ALL)
    parallel = region("!$omp parallel @x.c:7", Paradigm.OPENMP, RegionRole.PARALLEL)
    barrier = region("!$omp ibarrier @x.c:9", Paradigm.OPENMP, RegionRole.IMPLICIT_BARRIER)
    cycles = define.metric("PAPI_TOT_CYC", metric_mode=MetricMode.ACCUMULATED_START, value_type=Type.UINT64)
    load = define.metric("load", metric_mode=MetricMode.ABSOLUTE_POINT, value_type=Type.DOUBLE)
    writers = [trace.event_writer_from_location(location) for location in (*masters, worker)]
    for i, writer in enumerate(writers[:2]):
        writer.enter(1000, main)
        writer.metric(1000, cycles, 5000)
        writer.enter(1100, irecv)
        writer.mpi_irecv_request(1110, 7)
        writer.leave(1120, irecv)
        writer.enter(1200, isend)
        writer.mpi_isend(1210, 1 - i, world, 3, 64 + i, 8)
        writer.leave(1220, isend)
        writer.enter(1300, waitall)
        writer.mpi_irecv(1390, 1 - i, world, 3, 65 - i, 7)
        writer.mpi_isend_complete(1391, 8)
        writer.leave(1400, waitall)
        writer.metric(1400, cycles, 5600)
        writer.enter(1500, bcast)
        writer.mpi_collective_begin(1500)
        writer.mpi_collective_end(1550, CollectiveOp.BCAST, world, 1, 8 * i, 8)
        writer.leave(1550, bcast)
        writer.metric(1550, load, 0.25)
        if i == 0:
            writer.enter(1600, solve)
            writer.enter(1610, parallel)
            writer.leave(1700, parallel)
            writer.leave(1710, solve)
        writer.leave(2000, main)
    writers[2].enter(1612, parallel)
    writers[2].enter(1680, barrier)
    writers[2].leave(1690, barrier)
    writers[2].leave(1699, parallel)
