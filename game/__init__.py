"""Trilogic: three thinking games, the window around them, and the command line."""
