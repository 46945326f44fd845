# SPDX-License-Identifier: GPL-3.0-or-later
"""Several nodes on one machine: Open MPI starts the ranks of each through a command that, as rsh would, runs it elsewhere:
here in namespaces with another host name, another boot id, and what else a test puts in place."""
import collections
import platform

# Called as HOST COMMAND...; nothing of the environment goes along.
AGENT = """#!/bin/sh
cd {place} || exit 1
exec env -i PATH="$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FAKE_CLOCK="$FAKE_CLOCK_ELSEWHERE" unshare --user --map-root-user --uts --mount sh -c '
    hostname "$1" && echo "$1-boot" > "$1.boot" && echo none > "$1.source" || exit 1
    mount --bind "$1.boot" /proc/sys/kernel/random/boot_id || exit 1
    [ -z "$FAKE_CLOCK" ] ||
        mount --bind "$1.source" /sys/devices/system/clocksource/clocksource0/current_clocksource || exit 1
    [ ! -d "$1.disk" ] || mount --bind "$1.disk" "{disk}" || exit 1
    shift
    exec sh -c "$*"' sh "$@"
"""


class Nodes:
    """This machine and `other`.  place: a directory that both see; disk: one of which each has its own."""

    def __init__(self, place):
        self.here, self.other, self.place = platform.node(), "other", place
        self.disk = place / "disk"
        self.others_disk = place / f"{self.other}.disk"
        for directory in (self.disk, self.others_disk):
            directory.mkdir()
        self.agent = place / "agent"
        self.agent.write_text(AGENT.format(place=place, disk=self.disk))
        self.agent.chmod(0o755)

    def mpirun(self, n_ranks, *options):
        """Words that start ranks, half of them here, the others there."""
        hosts = f"{self.here}:{n_ranks // 2},{self.other}:{n_ranks - n_ranks // 2}"
        return ["mpirun", "--oversubscribe", "--host", hosts, "--mca", "plm_rsh_agent", self.agent, "-n", str(n_ranks), *options]


def events_of_tasks(prv, wanted):
    """{task: [(time, value)]} of the events of a type."""
    found = collections.defaultdict(list)
    for line in prv.read_text().splitlines():
        fields = line.split(":")
        if fields[0] == "2":
            pairs = zip(fields[6::2], fields[7::2])
            found[int(fields[3])] += [(int(fields[5]), int(value)) for type_, value in pairs if type_ == str(wanted)]
    return found
