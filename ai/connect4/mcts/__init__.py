"""Monte-Carlo tree search for any board and number of players."""
