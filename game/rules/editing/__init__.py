"""Drawing Sokoban levels: drawings and what can be done to them, what is wrong with one, the history of the editor."""
