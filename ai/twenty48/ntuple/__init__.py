"""N-tuple networks: the agent, its searches, its models and their training."""
