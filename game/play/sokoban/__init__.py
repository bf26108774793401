"""What playing and solving a level of Sokoban is, without a window."""
