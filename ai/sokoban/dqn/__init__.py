"""The deep Q-network: the agent, its models and its training."""
