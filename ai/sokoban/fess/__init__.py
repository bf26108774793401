"""The strong solver: feature-space search with packing plans and deadlock patterns."""
