"""Twenty48: the rules as numba kernels, and the agents that use them."""
