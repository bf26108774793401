"""Studies of the agents of 2048."""
