"""Games of 2048 being played, and pairs of them."""
