"""How connect-4 looks and speaks."""
