# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe.  The sources are those that are committed in the clone that this file is in:

    spack repo add packaging/spack/spack_repo/tandem
    spack install tandem ^openmpi
"""
import pathlib

from spack.package import *
from spack_repo.builtin.build_systems.meson import MesonPackage

CLONE = pathlib.Path(__file__).resolve().parents[6]


class Tandem(MesonPackage):
    """Profiler of parallel programs: samples, and records every call of MPI, OpenMP, threads, Python, the heap and any
    library, without compiling the program again; with a viewer of traces, which are those of Paraver."""

    homepage = "https://tandem.example"
    git = f"file://{CLONE}"

    license("Apache-2.0 AND GPL-3.0-or-later")

    version("main", branch="main")

    variant("otf2", default=True, description="Write and read OTF2 archives")
    variant("dwarf", default=True, description="Find arguments of libraries' functions by debug information")
    variant("yajl", default=True, description="Read JSON of Chrome's Trace Event format")

    depends_on("c", type="build")
    depends_on("meson@1:", type="build")
    extends("python@3.9:", type=("build", "run"))

    depends_on("mpi")
    depends_on("binutils+headers")  # libbfd
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("isa-l")
    depends_on("glib@2.70:")
    depends_on("cairo+png+svg+pdf")
    depends_on("pango")
    depends_on("gtkplus@3")
    depends_on("otf2", when="+otf2")
    depends_on("elfutils", when="+dwarf")
    depends_on("yajl", when="+yajl")

    def meson_args(self):
        """There is one MPI, and the library to preload is for that."""
        mpich = any(name in self.spec for name in ("mpich", "mvapich", "mvapich2", "intel-oneapi-mpi"))
        features = {"openmpi": not mpich, "mpich": mpich, "isal": True, "lzma": True}
        features.update((name, self.spec.satisfies(f"+{name}")) for name in ("otf2", "dwarf", "yajl"))
        return [f"-Dpython={self.spec['python'].command.path}"] + [
            f"-D{name}={'enabled' if is_on else 'disabled'}" for name, is_on in features.items()
        ]
