"""How noughts and crosses look."""
