"""Matches of connect-4 being played."""
