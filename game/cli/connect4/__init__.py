"""What commands do in connect-4 only."""
