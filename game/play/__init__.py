"""A game being played, without a window: who is asked, what is answered, how it goes on."""
