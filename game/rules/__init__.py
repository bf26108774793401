"""What the games are: immutable states, legal actions, apply, outcome. Plain Python and numpy only."""
