"""Who plays noughts and crosses."""
