"""What outlives the window: where files are, how they are written whole, and what is in them."""
