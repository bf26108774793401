"""Games of 2048 as they are played, without a window."""
