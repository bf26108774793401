"""What the report this project grew from says of its Sokoban agents, beside which `sokoban-search` puts its own.

Its charts show time, visited states and length of the solution over its test levels, without numbers.
"""

FASTER = 3.0
"""LRTA* is about so many times as fast as beam search."""
SHORTER = "beam"
"""Whose solutions are the shorter ones."""
K, ITERATIONS = 80, 200
"""Of its beam search; its LRTA* makes at most so many moves from the start as well."""
PATIENCE, RESTARTS = 50, 500
"""Steps without improvement before LRTA* begins again, and how often it does."""
EXTRA = 100
"""Restarts of LRTA* after a solution, to shorten it."""
