"""The policy and value network of flat boards: the agent, its models and their training."""
