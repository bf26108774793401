"""Sokoban positions as flat arrays, the rules on them as kernels, and distances."""
