"""N-tuple networks: the agent, its models and their training."""
