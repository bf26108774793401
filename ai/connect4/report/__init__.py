"""The players and the Q-learning of the report this project grew from."""
