# SPDX-License-Identifier: GPL-3.0-or-later
"""Laplace on a grid of 40 x 40 points: PETSc exchanges the edges by persistent requests."""
import sys
import petsc4py
petsc4py.init(sys.argv)
from petsc4py import PETSc

da = PETSc.DMDA().create([40, 40], stencil_width=1, stencil_type=PETSc.DMDA.StencilType.STAR)
A = da.createMatrix()
(x0, x1), (y0, y1) = da.getRanges()
row, col = PETSc.Mat.Stencil(), PETSc.Mat.Stencil()
for j in range(y0, y1):
    for i in range(x0, x1):
        row.index = (i, j)
        for dx, dy, v in ((0, 0, 4.0), (-1, 0, -1.0), (1, 0, -1.0), (0, -1, -1.0), (0, 1, -1.0)):
            if 0 <= i + dx < 40 and 0 <= j + dy < 40:
                col.index = (i + dx, j + dy)
                A.setValueStencil(row, col, v)
A.assemble()
b = da.createGlobalVec(); b.set(1.0)
x = b.duplicate()
ksp = PETSc.KSP().create()
ksp.setOperators(A); ksp.setType("cg"); ksp.getPC().setType("jacobi"); ksp.setFromOptions()
ksp.solve(b, x)
PETSc.Sys.Print(f"iterations {ksp.getIterationNumber()}, norm {x.norm():.9f}")
