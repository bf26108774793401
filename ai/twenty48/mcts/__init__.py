"""Monte-Carlo tree search over afterstates."""
