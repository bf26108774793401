"""Studies of connect-4's agents."""
