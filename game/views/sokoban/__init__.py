"""How Sokoban looks and speaks."""
