"""Finished games: the library, the theatre, and pictures and videos made of them."""
