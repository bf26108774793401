"""Noughts and crosses in the window."""
