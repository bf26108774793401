"""Expectimax with a hand-made evaluation, the agents that look one move ahead, and exact values of small boards."""
