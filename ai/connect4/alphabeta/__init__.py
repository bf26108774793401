"""Alpha-beta and its relatives for several players: searches with iterative deepening."""
