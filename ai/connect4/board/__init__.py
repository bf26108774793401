"""The rules of connect-4 as kernels, and what every agent needs of them."""
