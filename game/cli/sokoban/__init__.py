"""What commands do in Sokoban only."""
