"""The deep Q-network of the report this project grew from, as it was published, and its study."""
