"""Levels of Sokoban being played, one after the other."""
