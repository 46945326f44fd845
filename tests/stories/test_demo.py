# SPDX-License-Identifier: GPL-3.0-or-later
"""`./dev demo` makes what it says: a valid trace of four ranks, two pictures, a table."""
import csv
import re


def test_demo(root, build_dir, run, tmp_path):
    out = tmp_path / "out"
    environment = {"TANDEM_BUILD": build_dir, "DISPLAY": None, "WAYLAND_DISPLAY": None}
    result = run(root / "demo" / "run.sh", out, env=environment, timeout=300, check=True)
    for name in ("halo.prv", "halo.pcf", "halo.row"):
        assert (out / name).stat().st_size > 100, name
        assert name in result.stdout
    for name in ("useful-duration.png", "mpi-calls.png"):
        assert (out / name).read_bytes().startswith(b"\x89PNG"), name
    rows = list(csv.reader((out / "mpi-calls.csv").open()))
    assert [row[0] for row in rows[1:5]] == [f"THREAD 1.{task}.1" for task in (1, 2, 3, 4)]
    calls = {name.split(" ")[0] for name in rows[0][1:] if name.startswith("MPI_")}
    in_source = set(re.findall(r"\b(MPI_[A-Z][a-z]\w+)\(", (root / "demo" / "halo.c").read_text()))
    counted = {"MPI_Cart_coords", "MPI_Cart_shift", "MPI_Comm_rank", "MPI_Comm_size"}  # they are short
    assert in_source - {"MPI_Abort"} - counted <= calls <= in_source


def test_pictures_begin_after_a_long_start(root, run):
    """Debian's awk has integers of 32 bits for %d: an MPI_Init that ends after 2.1 s is told all the same."""
    program = re.search(r"awk -F, '(.*)'\)$", (root / "demo" / "run.sh").read_text(), re.M)[1]
    bursts = "THREAD 1.1.1,0,5,31,MPI_Init\nTHREAD 1.2.1,1000000000,2500000001,31,MPI_Init\nTHREAD 1.2.1,3500000001,9,0,End\n"
    assert run("awk", "-F,", program, input=bursts, check=True).stdout == "3500000001ns"
