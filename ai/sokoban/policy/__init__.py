"""The policy network: the agents, its models and its training."""
