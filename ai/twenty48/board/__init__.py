"""The rules of 2048 as kernels, on packed 4×4 boards and on boards of any size."""
