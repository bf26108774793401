"""Studies of Sokoban's agents."""
