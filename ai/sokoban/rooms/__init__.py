"""Rooms without end: made by kernels, solvable by construction, graded by a solver."""
