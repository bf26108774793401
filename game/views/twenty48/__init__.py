"""How 2048 looks and speaks."""
