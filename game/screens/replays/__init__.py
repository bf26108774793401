"""Finished games: the library, the theatre, and pictures and films made of them."""
