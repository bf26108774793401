"""Agents: the protocol they obey, the worker that runs them, the catalogue that lists them."""
