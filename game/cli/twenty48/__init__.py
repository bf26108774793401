"""What commands do in 2048 only."""
