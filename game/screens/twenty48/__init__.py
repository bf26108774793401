"""2048: the board, the screen, its end overlay."""
